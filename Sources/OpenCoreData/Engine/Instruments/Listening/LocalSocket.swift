#if os(Linux)
  import Foundation

  /// Sockets that only processes of this machine can reach, and the folder that they are in.
  package enum LocalSocket {
    /// The folder in which programs listen if none is named: `$XDG_RUNTIME_DIR/opencoredata`, or `/tmp/opencoredata-UID` where
    /// the variable is not set or names no folder.
    package static var standardFolder: String { standardFolder(ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]) }

    static func standardFolder(_ runtime: String?) -> String {
      var facts = stat()
      if let runtime, runtime.hasPrefix("/"), stat(runtime, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
        return runtime + "/opencoredata"
      }
      return "/tmp/opencoredata-\(geteuid())"
    }

    /// Checks that a folder belongs to this user and that nobody else can enter it.
    /// - Parameter makes: whether a folder that is not there is made.
    /// - Throws: 513 for a folder of another user, for a symbolic link, and for one that others can enter; 4 if there is none.
    package static func check(_ folder: String, makes: Bool = false) throws {
      if makes, mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure("The folder cannot be made", folder, errno) }
      var facts = stat()
      guard lstat(folder, &facts) == 0 else { throw failure("The folder cannot be used", folder, errno) }
      let isFolder = facts.st_mode & S_IFMT == S_IFDIR
      guard isFolder, facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
        let found = !isFolder ? "no folder" : facts.st_uid != geteuid() ? "another user's" : "open to others"
        throw NSError(
          coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
          "Sockets are put into a folder of this user that nobody else can enter (mode 700); \(folder) is \(found).",
          [NSFilePathErrorKey: folder])
      }
    }

    /// Makes a socket that listens. An older one at the path is replaced.
    ///
    /// The socket gets its path when it listens already: a tool that meets one before would take it for that of a program that is
    /// gone.
    /// - Throws: 512, with the system's reason.
    package static func listening(at path: String) throws -> Int32 {
      // Shorter than the name that it gets.
      let own = URL(fileURLWithPath: path), name = "." + own.deletingPathExtension().lastPathComponent
      let early = own.deletingLastPathComponent().path + "/" + name
      var address = try Self.address(of: path, at: early)
      unlink(early)
      let socket = try made(path)
      let isBound = with(&address) { bind(socket, $0, $1) == 0 }
      guard isBound, chmod(early, 0o600) == 0, listen(socket, 16) == 0, rename(early, path) == 0 else {
        let code = errno
        close(socket)
        unlink(early)
        throw failure("The program cannot listen", path, code)
      }
      return socket
    }

    /// Connects to a program that listens.
    /// - Parameter patience: the time in seconds to wait for a program that has not accepted earlier connections yet.
    /// - Throws: 512; underneath ECONNREFUSED if the program is gone, EAGAIN if it does not answer.
    package static func connected(to path: String, patience: Int = 5) throws -> Int32 {
      var address = try Self.address(of: path)
      let socket = try made(path)
      limit(socket, seconds: patience)
      guard with(&address, { connect(socket, $0, $1) == 0 }) else {
        let code = errno
        close(socket)
        throw failure(code == EAGAIN ? "The program does not answer" : "The program cannot be reached", path, code)
      }
      limit(socket, seconds: 0)
      guard user(of: socket) == geteuid() else {
        close(socket)
        throw failure("Another user listens", path, EPERM)
      }
      return socket
    }

    /// The user whose process is at the other end; nil if the system does not tell.
    package static func user(of socket: Int32) -> uid_t? {
      // The process, its user and its group, each four bytes.
      var facts: [Int32] = [0, -1, -1]
      var size = socklen_t(12)
      guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0, size == 12 else { return nil }
      return uid_t(bitPattern: facts[1])
    }

    /// Makes a descriptor non-blocking, and closed in programs that are started.
    static func prepare(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    private static func made(_ path: String) throws -> Int32 {
      // SOCK_STREAM, whose type differs between C libraries, and SOCK_CLOEXEC, which has the value of O_CLOEXEC: a program that another
      // thread starts just now must not get the socket.
      let kind: Int32 = 1 | O_CLOEXEC
      let socket = socket(AF_UNIX, kind, 0)
      guard socket >= 0 else { throw failure("A socket cannot be made", path, errno) }
      return socket
    }

    /// Limits the time for which sending and connecting wait; 0 for no limit.
    private static func limit(_ socket: Int32, seconds: Int) {
      var time = timeval(tv_sec: seconds, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// - Throws: 512 for a path that is too long for a socket.
    static func checkLength(of path: String) throws { _ = try address(of: path) }

    /// - Parameter early: the path to take in place of the one that errors name.
    private static func address(of path: String, at early: String? = nil) throws -> sockaddr_un {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array((early ?? path).utf8)
      guard max(bytes.count, path.utf8.count) < MemoryLayout.size(ofValue: address.sun_path) else {
        throw failure("The path is too long for a socket", path, ENAMETOOLONG)
      }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      return address
    }

    private static func with<Result>(
      _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      withUnsafePointer(to: &address) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
      }
    }

    private static func failure(_ text: String, _ path: String, _ code: Int32) -> NSError {
      let cocoa: CocoaError.Code =
        switch code {
        case ENOENT: .fileNoSuchFile
        case EACCES, EPERM: .fileWriteNoPermission
        default: .fileWriteUnknown
        }
      return NSError(
        coreData: cocoa.rawValue, "\(text): \(path): \(String(cString: strerror(code))).",
        [NSFilePathErrorKey: path, NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code))])
    }
  }
#endif
