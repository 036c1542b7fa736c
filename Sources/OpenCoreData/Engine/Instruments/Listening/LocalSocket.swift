#if os(Linux)
  import Foundation

  /// Sockets that only processes of this machine can reach, and the folder that they are in.
  package enum LocalSocket {
    /// The folder in which programs listen if none is named: `$XDG_RUNTIME_DIR/opencoredata`, or `/tmp/opencoredata-UID` where
    /// the variable is not set.
    package static var standardFolder: String {
      if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
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

    /// Makes a socket that listens.
    /// - Throws: 512, with the system's reason.
    package static func listening(at path: String) throws -> Int32 {
      let socket = try made(path)
      let isBound = try withAddress(path) { bind(socket, $0, $1) == 0 }
      guard isBound, chmod(path, 0o600) == 0, listen(socket, 16) == 0 else {
        let code = errno
        close(socket)
        throw failure("The program cannot listen", path, code)
      }
      return socket
    }

    /// Connects to a program that listens.
    /// - Throws: 512; ECONNREFUSED underneath if the program is gone.
    package static func connected(to path: String) throws -> Int32 {
      let socket = try made(path)
      guard try withAddress(path, { connect(socket, $0, $1) == 0 }) else {
        let code = errno
        close(socket)
        throw failure("The program cannot be reached", path, code)
      }
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
      // SOCK_STREAM, whose type differs between C libraries.
      let kind: Int32 = 1
      let socket = socket(AF_UNIX, kind, 0)
      guard socket >= 0 else { throw failure("A socket cannot be made", path, errno) }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      return socket
    }

    private static func withAddress<Result>(
      _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws -> Result {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw failure("The path is too long for a socket", path, ENAMETOOLONG)
      }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      return withUnsafePointer(to: &address) { place in
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
