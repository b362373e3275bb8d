// SPDX-License-Identifier: MIT
// Read by emcc as the last JavaScript library: takes out of the glue what the store has no use for. No terminal, no
// devices, no links, no preloading; of IDBFS the mount stays: js/savers/idbfs brings its own reconcile.
var unused = {
  $FS: [
    "syncfs", "createLazyFile", "createPreloadedFile", "createDataFile", "createPath", "createFile", "createDevice", "forceLoadFile",
    "analyzePath", "findObject", "indexedDB", "DB_NAME", "DB_VERSION", "DB_STORE_NAME", "saveFilesToDB", "loadFilesFromDB",
    "chown", "lchmod", "fchmod", "lchown", "fchown", "utime", "quit", "symlink", "readlink", "allocate", "mmap", "msync", "munmap",
    "mkdev", "registerDevice", "ftruncate", "chdir", "lstat", "create", "rename", "chmod", "getMode", "absolutePath", "createFolder", "createLink", "joinPath", "mmapAlloc", "standardizePath", "ioctl",
  ],
  $IDBFS: [
    "syncfs", "getLocalSet", "getRemoteSet", "loadLocalEntry", "storeLocalEntry", "removeLocalEntry", "loadRemoteEntry",
    "storeRemoteEntry", "removeRemoteEntry", "getDB", "indexedDB", "reconcile",
  ],
  $SYSCALLS: ["doMsync", "doMkdir", "doMknod", "doReadlink", "doAccess", "doDup", "doStat"],
};
for (var room in unused) {
  for (var name of unused[room]) delete LibraryManager.library[room][name];
}
for (var verb of ["symlink", "readlink", "rename"]) delete LibraryManager.library.$MEMFS.node_ops[verb];
for (var verb of ["allocate", "mmap", "msync"]) delete LibraryManager.library.$MEMFS.stream_ops[verb];
var nothing = function () {};
Object.assign(LibraryManager.library.$FS, {
  createDefaultDevices: nothing,
  createSpecialDirectories: nothing,
  createStandardStreams: nothing,
});
LibraryManager.library.$TTY = { init: nothing };
LibraryManager.library.$TTY__deps = [];
LibraryManager.library.$TTY__postset = "";
delete LibraryManager.library.$PATH_FS.relative;
// What stdio asks on top of reading and writing: whether a file is a terminal (ENOTTY), and nothing else (EINVAL).
Object.assign(LibraryManager.library, {
  __syscall_ioctl: function () { return -59; },
  __syscall_fcntl64: function () { return -28; },
});
