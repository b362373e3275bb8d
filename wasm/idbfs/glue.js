// SPDX-License-Identifier: MIT
// Read by emcc as the last JavaScript library: puts a small file system in the place of
// Emscripten's, with the part of its interface that the store uses. Paths are absolute and plain;
// there are folders, files and mounts, and nothing else: no links, devices, permissions, terminals.
// Files are opened for reading, or anew for writing. Of IDBFS the mount and the names of its
// database stay: js/savers/idbfs brings its own reconcile. No destructuring here: emcc takes it for
// unused.
(function (library) {
  library.$MEMFS = library.$PATH = library.$PATH_FS = library.$TTY = library.$SYSCALLS = {};
  for (var room of ["$MEMFS", "$PATH", "$PATH_FS", "$TTY", "$SYSCALLS", "$FS", "$IDBFS"]) {
    library[room + "__deps"] = [];
    library[room + "__postset"] = "";
  }
  library.$FS = {
    root: null,
    streams: [],
    createNode: (isFolder) => ({
      files: isFolder ? new Map() : undefined,
      bytes: new Uint8Array(0),
      size: 0,
      mounted: undefined,
    }),
    fail: (errno) => {
      throw Object.assign(new Error("FS error"), { errno });
    },
    // What is mounted there, or the node itself.
    inside: (node) => node.mounted || node,
    nameOf: (path) => path.slice(path.lastIndexOf("/") + 1),
    // The folder that a path leads through; `isParent`: the one that its last name stands in.
    lookupPath: (path, isParent) => {
      var node = FS.root;
      var names = path.split("/").filter(Boolean);
      if (isParent) names.pop();
      for (var name of names) {
        var folder = FS.inside(node).files;
        node = (folder && folder.get(name)) || FS.fail(44);
      }
      return isParent ? FS.inside(node) : node;
    },
    mkdirTree: (path) => {
      var node = FS.root;
      for (var name of path.split("/").filter(Boolean)) {
        var folder = FS.inside(node).files;
        if (!folder.has(name)) folder.set(name, FS.createNode(true));
        node = folder.get(name);
      }
    },
    mount: (type, opts, mountpoint) => {
      FS.lookupPath(mountpoint).mounted = type.mount({ type, opts, mountpoint });
    },
    unmount: (mountpoint) => {
      FS.lookupPath(mountpoint).mounted = undefined;
    },
    unlink: (path) => {
      if (!FS.lookupPath(path, true).files.delete(FS.nameOf(path))) FS.fail(44);
    },
    rmdir: (path) => FS.unlink(path),
    readdir: (path) => {
      return Array.from(FS.inside(FS.lookupPath(path)).files.keys());
    },
    // O_CREAT is 64, O_TRUNC 512.
    open: (path, flags) => {
      var folder = FS.lookupPath(path, true).files;
      var name = FS.nameOf(path);
      var node = folder.get(name);
      if (!node) {
        if (!(flags & 64)) FS.fail(44);
        folder.set(name, (node = FS.createNode(false)));
      }
      if (flags & 512) {
        node.size = 0;
        node.bytes = new Uint8Array(0);
      }
      return { path, node, position: 0 };
    },
    write: (stream, bytes) => {
      var node = stream.node;
      var end = stream.position + bytes.length;
      if (end > node.bytes.length) {
        var old = node.bytes;
        node.bytes = new Uint8Array(old.length === 0 ? end : Math.max(end, 2 * old.length));
        node.bytes.set(old.subarray(0, node.size));
      }
      node.bytes.set(bytes, stream.position);
      stream.position = end;
      node.size = Math.max(node.size, end);
    },
    readFile: (path) => {
      var node = FS.open(path, 0).node;
      return node.bytes.slice(0, node.size);
    },
    writeFile: (path, bytes) => FS.write(FS.open(path, 577), bytes),
    // Carries out a vector of reads or writes.
    each: (fd, vector, count, sum, go) => {
      var stream = FS.streams[fd];
      if (!stream) return 8;
      var total = 0;
      for (; count > 0; count--, vector += 8) {
        var at = HEAP32[vector >> 2];
        var bytes = HEAPU8.subarray(at, at + HEAP32[(vector + 4) >> 2]);
        var length = go(stream, bytes);
        total += length;
        if (length < bytes.length) break;
      }
      HEAP32[sum >> 2] = total;
      return 0;
    },
  };
  // Emscripten's smallest frame compiles the module later and shows nothing: here it is compiled at
  // once, and what the store uses is shown.
  var shown = Array.from(EXPORTED_FUNCTIONS).filter((name) => name.startsWith("_weft_"));
  library.$FS__postset = `FS.root=FS.createNode(true);
    Object.defineProperty(Module,"HEAPU8",{get:()=>HEAPU8});
    var WebAssembly={instantiate:(bytes,imports)=>({then:(go)=>{
      var {Module:M,Instance:I}=globalThis.WebAssembly;
      go({instance:new I(new M(bytes),imports)});
      Object.assign(Module,{FS,IDBFS,${shown.join(",")}});
    }})};`;
  library.$IDBFS = { DB_VERSION: 21, DB_STORE_NAME: "FILE_DATA", mount: () => FS.createNode(true) };
  library.$FS__deps = ["$IDBFS"];
  Object.assign(library, {
    __syscall_open: function (path, flags) {
      try {
        var stream = FS.open(UTF8ToString(path), flags);
      } catch (error) {
        return -error.errno;
      }
      for (var fd = 3; FS.streams[fd]; fd++);
      FS.streams[fd] = stream;
      return fd;
    },
    __syscall_unlink: function (path) {
      try {
        FS.unlink(UTF8ToString(path));
        return 0;
      } catch (error) {
        return -error.errno;
      }
    },
    // An entry: inode, offset, its own size at 16, kind at 18 (unknown), name at 19.
    __syscall_getdents64: function (fd, entries, count) {
      var stream = FS.streams[fd];
      var names = (stream.names = stream.names || FS.readdir(stream.path));
      var at = 0;
      for (; stream.position < names.length && at + 280 <= count; at += 280) {
        var entry = HEAPU8.subarray(entries + at, entries + at + 280).fill(0);
        entry[0] = 1;
        new DataView(entry.buffer, entry.byteOffset).setUint16(16, 280, true);
        new TextEncoder().encodeInto(names[stream.position++], entry.subarray(19, 279));
      }
      return at;
    },
    // opendir would have the descriptor closed on exec.
    __syscall_fcntl64: function () {
      return -28;
    },
    fd_close: function (fd) {
      if (!FS.streams[fd]) return 8;
      FS.streams[fd] = undefined;
      return 0;
    },
    fd_read: function (fd, vector, count, sum) {
      return FS.each(fd, vector, count, sum, (stream, bytes) => {
        var at = stream.position;
        var found = stream.node.bytes.subarray(at, Math.min(stream.node.size, at + bytes.length));
        bytes.set(found);
        stream.position += found.length;
        return found.length;
      });
    },
    fd_write: function (fd, vector, count, sum) {
      return FS.each(
        fd,
        vector,
        count,
        sum,
        (stream, bytes) => (FS.write(stream, bytes), bytes.length),
      );
    },
    fd_seek: function (fd, low, high, whence, result) {
      var stream = FS.streams[fd];
      if (!stream) return 8;
      stream.position =
        low + (whence === 1 ? stream.position : whence === 2 ? stream.node.size : 0);
      HEAP32[result >> 2] = stream.position;
      HEAP32[(result + 4) >> 2] = 0;
      return 0;
    },
    emscripten_resize_heap: function (size) {
      try {
        wasmMemory.grow(
          (Math.max(size >>> 0, 1.2 * buffer.byteLength) - buffer.byteLength + 65535) >>> 16,
        );
        updateGlobalBufferAndViews(wasmMemory.buffer);
        return 1;
      } catch (e) {
        return 0;
      }
    },
  });
  for (var name of [
    "__syscall_open",
    "__syscall_unlink",
    "__syscall_getdents64",
    "fd_close",
    "fd_read",
    "fd_write",
    "fd_seek",
  ])
    library[name + "__deps"] = ["$FS"];
  library.emscripten_resize_heap__deps = [];
})(LibraryManager.library);
