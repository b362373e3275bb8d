#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the checkpoints of a thread that FileSaver stored, from its bytes alone: docs/log-format.md, read by Python.

    python3 read_log.py <folder of a FileSaver> <thread id>

One JSON object per line, the newest checkpoint first in each namespace: {ns, id, parent, source, step, values, writes}.
`values` has every channel; a value that JSON does not hold is {"json": parts, "table": entries} (log-format.md, section 3).
Checks every checksum. Reads the formats 1 to 4; exits with an error on anything else."""
import hashlib, json, os, struct, sys, uuid

CHECKPOINT, WRITES, TRIM, SNAPSHOT = 1, 2, 6, 7
CRC_TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    CRC_TABLE.append(byte)


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
        last_crc, (last_seq,) = data[16:20][::-1].hex(), struct.unpack_from("<d", data, 8)
        end = "%014x-%s" % (int(last_seq), last_crc)
        yield data[32:]


def frames_of(files, thread_id):
    """(seq, kind, format, body) of each frame of the chain (section 1)."""
    owner, last_seq, last_crc = hashlib.sha256(thread_id.encode()).digest()[:16], None, None
    for data in files:
        at = 0
        while at < len(data):
            magic, version, kind, flags, length, seq, thread, previous, header_crc = struct.unpack_from("<IBBHIQ16sII", data, at)
            body, end = data[at + 44 : at + 44 + length], at + 44 + length
            crc = crc32c(body, crc32c(data[at : at + 40]))
            assert magic == 0x54464557 and thread == owner and header_crc == crc32c(data[at : at + 40]), "damaged header"
            assert crc == struct.unpack_from("<I", data, end)[0], f"damaged record {seq}"
            assert 1 <= version <= 4 and 1 <= kind <= SNAPSHOT and flags == 0, f"record {seq} has a newer format"
            at = end + 4
            assert last_seq is None or (seq == last_seq + 1 and previous == last_crc), f"record {seq} does not follow {last_seq}"
            last_seq, last_crc = seq, crc
            yield seq, kind, version, body


class Body:
    """Reads one record's body (section 2). `log` has the values of all earlier records by their number."""

    def __init__(self, data, seq, log):
        self.data, self.at, self.seq, self.log, self.names, self.values = data, 0, seq, log, [], log.setdefault(seq, [])

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count):
        assert self.at + count <= len(self.data), "a record ends too early"
        self.at += count
        return self.data[self.at - count : self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

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
        """The bytes of a value, or None where there is none (section 3)."""
        head = self.varint()
        if head == 28:
            return self.keep(self.patch())
        if head % 4 == 0:
            return [None, b'null\0[["undefined",[]]]', b"null", b"false", b"true"][head >> 2]
        if head % 4 == 1:
            return str(head >> 3 if head & 4 == 0 else -(head + 4 >> 3)).encode()
        if head % 4 == 2:
            return self.keep(self.take(head >> 2))
        return self.log[self.seq - (head >> 2)][self.varint()]

    def keep(self, text):
        self.values.append(text)
        return text

    def patch(self):
        """A text made of an earlier one by splices, which go from its end to its start (section 4)."""
        base = self.log[self.seq - self.varint()][self.varint()]
        self.varint()  # depth
        length, end, parts = self.varint(), len(base), []
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
        """A list snapshot: values of earlier records, numbered in the order of a list, then the text of all (section 5)."""
        name, _, length = self.name(), self.varint(), self.varint()
        while self.at < len(self.data):
            self.values.extend(self.run())
        is_message = [text.endswith(b'\0[["message",[]]]') for text in self.values]
        first = is_message.index(True) if True in is_message else 0
        items = b",".join(text.split(b"\0")[0] for text in self.values)
        table = ",".join(f'["message",["{name}",{at - first}]]' for at, true in enumerate(is_message) if true)
        text = b'{"%s":[%s]}\0' % (name.encode(), items) + (("[" if table else "") + table + "]").encode()
        assert len(text) == length, "a list snapshot does not fit"
        self.values.append(text)

    def send(self):
        node, has_timeout = self.name(), self.byte()
        return {"node": node, "args": self.value(), **({"timeout": self.value()} if has_timeout else {})}

    def change(self, channels):
        name, version, form = self.name(), self.varint(), self.byte()
        old, form = channels.get(name), form & 7
        if form == 1:
            old = self.value()
        elif form == 2:
            old = None
        elif form == 3:
            old = list(old) if isinstance(old, list) else []
            for _ in range(self.varint()):
                self.operation(old)
        elif form == 4:
            old = self.many(self.send)
        elif form == 5:
            old = [json.dumps(name).encode() for name in self.many(self.name)]
        channels[name] = old

    def operation(self, items):
        kind = self.byte()
        if kind == 4:
            items.extend(self.run())
        elif kind == 3:
            items.clear()
        elif kind == 2:
            items.pop(self.varint())
        elif kind == 1:
            index = self.varint()
            items[index] = self.value()
        else:
            items.append(self.value())

    def task(self):
        kind = self.byte()
        index = self.varint() if kind == 2 else None
        node = self.name() if kind in (1, 2) else None
        trigger = self.name() if kind == 1 else None
        by = self.id() if kind == 3 else node
        outcome, writes = self.byte(), []
        for _ in range(self.varint()):
            head, channel, place = self.byte(), self.name(), self.signed()
            special = ["", "__error__", "__interrupt__", "__resume__", "__scheduled__", "__no_writes__", "__return__", "__error_source_node__", ""][head & 127]
            if head > 127:
                values = [self.send()]
            elif self.data[self.at] == 24:
                self.at += 1
                values = self.run()
            else:
                values = [self.value()]
            writes += [{"task": by, "channel": special or channel, "value": value} for value in values]
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
    log, heads, threads = {}, {}, {}
    for seq, kind, version, body in frames_of(files, thread_id):
        if kind == TRIM:
            heads, threads = {}, {}
        if version == 4:
            body = unpacked(body, seq, heads)
        heads[seq] = body[:512]
        heads.pop(seq - 257, None)
        record = Body(body, seq, log)
        if kind == SNAPSHOT:
            record.snapshot()
        elif kind == WRITES:
            entry = threads.setdefault((record.name(), record.id()), {"writes": []})
            entry["writes"] += sum(record.many(record.task), [])
        elif kind == CHECKPOINT:
            ns, own, flags = record.name(), record.id(), record.byte()
            parent = record.id() if flags & 4 else None
            step, extra = record.signed(), record.value() if flags & 32 else None
            record.many(lambda: (record.name(), record.id()))  # the checkpoints of the graphs around
            base = threads.setdefault((ns, parent), {"writes": []}) if parent else {"writes": []}
            channels = {} if flags & 8 else dict(base.get("channels", {}))
            record.many(lambda: record.change(channels))
            record.many(lambda: (record.name(), record.name(), record.varint()))  # versions that nodes have seen
            base["writes"] = base["writes"] + sum(record.many(record.task), [])
            entry = threads.setdefault((ns, own), {"writes": []})
            entry.update(channels=channels, parent=parent, step=step, source=["input", "loop", "update", "fork"][flags & 3], hidden=flags & 16 != 0)
        elif kind < TRIM:  # INTENT, RESULT, DECISION: only their value counts here, which later records may refer to
            record.name(), record.varint(), record.take(32)
            task = record.byte()
            _ = record.varint() if task == 2 else None
            _ = record.name() if task in (1, 2) else None
            _ = record.name() if task == 1 else record.id() if task == 3 else None
            record.name()
            _ = (record.take(16), record.varint(), record.take(32)) if record.byte() == 1 else None
            record.byte(), record.value()
    return threads


def plain(value):
    """A value as JSON data."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: one if key == "node" else plain(one) for key, one in value.items()}
    if value is None:
        return None
    text, _, table = value.partition(b"\0")
    return {"json": json.loads(text), "table": json.loads(table)} if table else json.loads(text)


def main(root, thread_id):
    threads = read(files_of(root, thread_id), thread_id)
    for (ns, own), entry in sorted(threads.items(), reverse=True):
        if entry.get("hidden", True):
            continue
        parent = entry["parent"] if "channels" in threads.get((ns, entry["parent"]), {}) else None  # pruned
        values = {name: plain(value) for name, value in entry["channels"].items() if value is not None}
        writes = [{**write, "value": plain(write["value"])} for write in entry["writes"]]
        print(json.dumps({"ns": ns, "id": own, "parent": parent, "source": entry["source"], "step": entry["step"], "values": values, "writes": writes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
