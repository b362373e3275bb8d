#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the checkpoints of a thread that FileSaver stored, from its bytes alone: docs/log-format.md, read by Python.

    python3 read_log.py <folder of a FileSaver> <thread id>

One JSON object per line, the newest checkpoint first in each namespace: {ns, id, parent, source, step, values, writes}.
`values` has every channel; a value that JSON does not hold is {"json": parts, "table": entries} (log-format.md, section 3).
Checks every checksum. Reads the formats 1 to 4; exits with an error on anything else."""
import hashlib, json, os, struct, sys, uuid

CHECKPOINT, WRITES, TRIM, SNAPSHOT = 1, 2, 6, 7
SPECIALS = ["", "__error__", "__interrupt__", "__resume__", "__scheduled__", "__no_writes__", "__return__", "__error_source_node__", ""]
CRC_TABLE = list(range(256))
for _ in range(8):
    CRC_TABLE = [byte >> 1 ^ (0x82F63B78 if byte & 1 else 0) for byte in CRC_TABLE]


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def files_of(root, thread_id):
    """The frames of a thread's files, oldest first: each file names the end of the log that it continues (section 7)."""
    folder = os.path.join(root, "threads", hashlib.sha256(thread_id.encode()).hexdigest())
    log = next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("log-"))
    names, end = sorted(os.listdir(log)), "%014x-%08x" % (0, 0)
    while found := [name for name in names if name == f"c-{end}" or name.startswith(f"s-{end}-")]:
        with open(os.path.join(log, found[-1]), "rb") as file:  # a segment, the longest, rather than a commit
            data = file.read()
        last_seq, last_crc = struct.unpack_from("<dI", data, 8)
        end = "%014x-%08x" % (int(last_seq), last_crc)
        yield data[32:]


def frames_of(files, thread_id):
    """(seq, kind, format, body) of each frame of the chain (section 1)."""
    owner, last = hashlib.sha256(thread_id.encode()).digest()[:16], None
    for data in files:
        at = 0
        while at < len(data):
            magic, version, kind, flags, length, seq, thread, previous, header_crc = struct.unpack_from("<IBBHIQ16sII", data, at)
            header, body = data[at : at + 40], data[at + 44 : at + 44 + length]
            crc, at = crc32c(body, crc32c(header)), at + 48 + length
            assert magic == 0x54464557 and thread == owner and header_crc == crc32c(header), "damaged header"
            assert crc == struct.unpack_from("<I", data, at - 4)[0], f"damaged record {seq}"
            assert 1 <= version <= 4 and 1 <= kind <= SNAPSHOT and flags == 0, f"record {seq} has a newer format"
            assert last is None or (seq - 1, previous) == last, f"record {seq} does not follow the one before"
            last = (seq, crc)
            yield seq, kind, version, body


class Body:
    """Reads one record's body (section 2). `log` has the values of all earlier records by their number."""

    def __init__(self, data, seq, log):
        self.data, self.at, self.seq, self.log, self.names, self.values = data, 0, seq, log, [], log.setdefault(seq, [])

    def take(self, count):
        assert self.at + count <= len(self.data), "a record ends too early"
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        byte = self.byte()
        return byte if byte < 128 else byte - 128 + 128 * self.varint()

    def signed(self):
        value = self.varint()
        return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)

    def many(self, read):
        return [read() for _ in range(self.varint())]

    def id(self):
        return str(uuid.UUID(bytes=self.take(16)))

    def name(self):
        head = self.varint()
        if head % 2 == 1:
            return self.names[head >> 1]
        name = self.take(head >> 1).decode()
        if name and len(self.names) < 32:
            self.names.append(name)
        return name

    def value(self):
        """The text of a value as bytes, or None where there is none (section 3)."""
        head = self.varint()
        if head % 4 == 0 and head != 28:
            return [None, b'null\0[["undefined",[]]]', b"null", b"false", b"true"][head >> 2]
        if head % 4 == 1:
            return str(head >> 3 if head & 4 == 0 else -(head + 4 >> 3)).encode()
        if head % 4 == 3:
            return self.log[self.seq - (head >> 2)][self.varint()]
        self.values.append(self.patch() if head == 28 else self.take(head >> 2))
        return self.values[-1]

    def patch(self):
        """A text made of an earlier one by splices, which go from its end to its start (section 4)."""
        base, _, length = self.log[self.seq - self.varint()][self.varint()], self.varint(), self.varint()
        end, parts = len(base), []
        for _ in range(self.varint()):
            keep, drop, count = self.varint(), self.varint(), self.varint()
            if count < 1 << 31:
                insert = self.take(count)
            else:
                other, place = self.log[self.seq - self.varint()][self.varint()], self.varint()
                insert = other[place : place + count - (1 << 31)]
            parts += [base[end - keep : end], insert]
            end -= keep + drop
        text = b"".join([base[:end]] + parts[::-1])
        assert len(text) == length, "a patch does not fit"
        return text

    def run(self):
        values, first, count = self.log[self.seq - self.varint()], self.varint(), self.varint()
        assert first + count <= len(values), "a record refers to values that are not there"
        return values[first : first + count]

    def snapshot(self):
        """Values of earlier records in the order of a list, and behind them the text of the whole list (section 5)."""
        name, _, length = self.name(), self.varint(), self.varint()
        while self.at < len(self.data):
            self.values.extend(self.run())
        messages = [at for at, text in enumerate(self.values) if text.endswith(b'\0[["message",[]]]')]
        table = ",".join(f'["message",["{name}",{at - messages[0]}]]' for at in messages)
        items = b",".join(text.split(b"\0")[0] for text in self.values)
        self.values.append(b'{"%s":[%s]}\0%s' % (name.encode(), items, (f"[{table}]" if messages else "]").encode()))
        assert len(self.values[-1]) == length, "a list snapshot does not fit"

    def send(self):
        node, has_timeout = self.name(), self.byte()
        return {"node": node, "args": self.value(), **({"timeout": self.value()} if has_timeout else {})}

    def change(self, channels):
        name, _, form = self.name(), self.varint(), self.byte() & 7
        if form == 1:
            channels[name] = self.value()
        elif form == 2:
            channels[name] = None
        elif form == 3:
            channels[name] = list(channels[name]) if isinstance(channels.get(name), list) else []
            self.many(lambda: self.operation(channels[name]))
        elif form == 4:
            channels[name] = self.many(self.send)
        elif form == 5:
            channels[name] = [json.dumps(one).encode() for one in self.many(self.name)]

    def operation(self, items):
        kind = self.byte()
        if kind == 0:
            items.append(self.value())
        elif kind == 1:
            index = self.varint()
            items[index] = self.value()
        elif kind == 2:
            items.pop(self.varint())
        elif kind == 3:
            items.clear()
        else:
            items.extend(self.run())

    def task_key(self):
        """The node of a task, or its id where it has no node."""
        kind = self.byte()
        if kind == 2:
            self.varint()
        name = self.name() if kind in (1, 2) else self.id() if kind == 3 else None
        if kind == 1:
            self.name()
        return name

    def task(self):
        by, _, writes = self.task_key(), self.byte(), []
        for _ in range(self.varint()):
            head, channel, _ = self.byte(), self.name(), self.signed()
            if head < 128 and self.data[self.at] == 24:
                self.at += 1
                values = self.run()
            else:
                values = [self.send() if head > 127 else self.value()]
            writes += [{"task": by, "channel": SPECIALS[head & 127] or channel, "value": value} for value in values]
        return writes


def unpacked(body, seq, heads):
    """The body that a packed one stands for: own bytes, and runs of what recent records begin with (section 6)."""
    packed, out = Body(body, seq, {}), b""
    length = packed.varint()
    while packed.at < len(body):
        out += packed.take(packed.varint())
        if packed.at < len(body):
            back, first, count = packed.varint(), packed.varint(), packed.varint()
            out += heads[seq - back][first : first + count]
    assert len(out) == length, "a packed record does not fit"
    return out


def read(files, thread_id):
    """What is known of each checkpoint, by (namespace, id)."""
    log, heads, found = {}, {}, {}
    entry_of = lambda ns, own: found.setdefault((ns, own), {"channels": {}, "writes": [], "hidden": True, "is_there": False})
    for seq, kind, version, body in frames_of(files, thread_id):
        if kind == TRIM:
            heads, found = {}, {}
        if version == 4:
            body = unpacked(body, seq, heads)
        heads[seq] = body[:512]
        heads.pop(seq - 257, None)
        record = Body(body, seq, log)
        if kind == SNAPSHOT:
            record.snapshot()
        elif kind == WRITES:
            entry_of(record.name(), record.id())["writes"] += sum(record.many(record.task), [])
        elif kind == CHECKPOINT:
            ns, own, flags = record.name(), record.id(), record.byte()
            parent = record.id() if flags & 4 else None
            step = record.signed()
            _ = record.value() if flags & 32 else None  # more metadata
            record.many(lambda: (record.name(), record.id()))  # the checkpoints of the graphs around
            channels = {} if flags & 8 or not parent else dict(entry_of(ns, parent)["channels"])
            record.many(lambda: record.change(channels))
            record.many(lambda: (record.name(), record.name(), record.varint()))  # versions that nodes have seen
            if parent:
                entry_of(ns, parent)["writes"] += sum(record.many(record.task), [])
            source = ["input", "loop", "update", "fork"][flags & 3]
            entry_of(ns, own).update(is_there=True, hidden=flags & 16 != 0, channels=channels, parent=parent, step=step, source=source)
        elif kind < TRIM:  # INTENT, RESULT, DECISION: only their value counts here, to which later records may refer
            record.name(), record.varint(), record.take(32), record.task_key(), record.name()
            _ = (record.take(16), record.varint(), record.take(32)) if record.byte() == 1 else None
            record.byte(), record.value()
    return found


def plain(value):
    """A value, a list of values or a Send as JSON data."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: one if key == "node" else plain(one) for key, one in value.items()}
    text, _, table = (value or b"null").partition(b"\0")
    return {"json": json.loads(text), "table": json.loads(table)} if table else json.loads(text)


def main(root, thread_id):
    found = read(files_of(root, thread_id), thread_id)
    for (ns, own), entry in sorted(found.items(), reverse=True):
        if not entry["hidden"]:
            parent = entry["parent"] if found.get((ns, entry["parent"]), {}).get("is_there") else None  # it may have been pruned
            values = {name: plain(value) for name, value in entry["channels"].items() if value is not None}
            writes = [{**write, "value": plain(write["value"])} for write in entry["writes"]]
            print(json.dumps({"ns": ns, "id": own, "parent": parent, "source": entry["source"], "step": entry["step"], "values": values, "writes": writes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
