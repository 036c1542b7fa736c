#if os(Linux)
  import Foundation
  import Testing

  @testable import OpenCoreData

  /// Sockets, and where they are.
  @Suite struct LocalSocketTests {
    private func with(_ body: (_ folder: String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "sock-\(UUID().uuidString.prefix(8))").path
      try #require(mkdir(folder, 0o700) == 0)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try body(folder)
    }

    private static func code(_ error: any Error) -> Int? {
      ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
    }

    @Test func anOlderSocketIsReplaced() throws {
      try with { folder in
        let path = folder + "/1.sock"
        let old = try LocalSocket.listening(at: path), new = try LocalSocket.listening(at: path)
        let client = try LocalSocket.connected(to: path)
        defer { for descriptor in [old, new, client] { close(descriptor) } }
        var polled = [old, new].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        #expect(poll(&polled, 2, 0) == 1 && polled[1].revents == Int16(POLLIN))
        // Nothing is left of its first name.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["1.sock"])
      }
    }

    @Test func aProgramThatAcceptsNobodyIsNotWaitedForWithoutEnd() throws {
      try with { folder in
        let path = folder + "/1.sock"
        let deaf = try LocalSocket.listening(at: path)
        defer { close(deaf) }
        var connections: [Int32] = []
        defer { for connection in connections { close(connection) } }
        #expect {
          while connections.count < 1000 { connections.append(try LocalSocket.connected(to: path, patience: 1)) }
        } throws: {
          Self.code($0) == Int(EAGAIN) && $0.localizedDescription.contains("does not answer")
        }
      }
    }

    @Test func aPathThatIsTooLongIsRefused() throws {
      try with { folder in
        let path = folder + "/" + String(repeating: "d", count: 108)
        for attempt in [{ try LocalSocket.connected(to: path) }, { try LocalSocket.listening(at: path) }] {
          #expect {
            try attempt()
          } throws: {
            Self.code($0) == Int(ENAMETOOLONG)
          }
        }
      }
    }

    @Test func theStandardFolderNeedsOneThatIsThere() throws {
      let own = "/tmp/opencoredata-\(geteuid())"
      try with { folder in
        #expect(LocalSocket.standardFolder(folder) == folder + "/opencoredata")
        #expect(LocalSocket.standardFolder(folder + "/none") == own)
      }
      for name in [nil, "", "relative", "/dev/null"] { #expect(LocalSocket.standardFolder(name) == own) }
    }
  }
#endif
