#if os(Linux)
  import CoreData
  import Foundation
  import Testing

  @testable import OpenCoreData

  /// Attacks on the socket: nothing is told, and nothing stops.
  @Suite struct ListeningAttackTests {
    private func with(_ body: (LookServer) throws -> Void) throws {
      let server = try LookServer([])
      defer { server.end() }
      try body(server)
      // Whatever happened, the next client is served.
      #expect(try server.client().ask(["ask": "events"])["next"] is Int)
    }

    @Test func whatIsNoRequestGetsAnError() throws {
      try with { server in
        let client = try server.client()
        for line in [
          "", "nonsense", "{}", "[1]", "{\"ask\":\"everything\"}", "{\"ask\":7}", String(repeating: "[", count: 60_000),
        ] {
          client.send(line + "\n")
          #expect(try #require(client.line()).hasPrefix("{\"error\":"), "\(line.prefix(20))")
        }
        client.send(
          "{\"ask\":\"record\",\"file\":\"relative\"}\n{\"ask\":\"changes\"}\n{\"ask\":\"changes\",\"context\":\"0x1\"}\n"
        )
        for _ in 0..<3 { #expect(try #require(client.line()).hasPrefix("{\"error\":")) }
      }
    }

    @Test func aLineThatIsTooLongEndsTheConnection() throws {
      try with { server in
        for text in [String(repeating: "a", count: 300_000), String(repeating: "b", count: 300_000) + "\n"] {
          let client = try server.client()
          client.send(text)
          while let line = client.line() { #expect(line.contains("error")) }
        }
      }
    }

    @Test func aFloodOfConnectionsIsRefusedBeyondTheLimit() throws {
      try with { server in
        var clients: [LookClient] = []
        for _ in 0..<Listener.clientLimit {
          let client = try server.client()
          #expect(try client.ask(["ask": "events"])["next"] is Int)
          clients.append(client)
        }
        for _ in 0..<100 {
          let refused = try server.client()
          if let line = refused.line() { #expect(line.contains("error")) }
          #expect(refused.line() == nil)
        }
        // Those that were there first are served.
        for client in clients { #expect(try client.ask(["ask": "events"])["next"] is Int) }
        clients = []
        // Their end is noticed.
        let deadline = Date().addingTimeInterval(120)
        while (try? server.client().ask(["ask": "events"])["next"] as? Int) == nil { try #require(Date() < deadline) }
      }
    }

    @Test func aClientThatDoesNotReadKeepsNobodyWaiting() throws {
      try with { server in
        let deaf = try server.client()
        _ = fcntl(deaf.descriptor, F_SETFL, O_NONBLOCK)
        deaf.send(String(repeating: "{\"ask\":\"tree\"}\n", count: 4000))
        let other = try server.client()
        for _ in 0..<3 { #expect(try other.ask(["ask": "events"])["next"] is Int) }
        withExtendedLifetime(deaf) {}
      }
    }

    private static var canBecomeAnother: Bool {
      geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")
    }

    @Test(.enabled(if: canBecomeAnother, "Needs to be root, and perl"))
    func anotherUserIsToldNothing() throws {
      try with { server in
        // The folder keeps others out; the check of the peer is there for one that was opened.
        let script = """
          use Socket; $) = $( = 65534; $> = $< = 65534; die "still root" if $> == 0;
          socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die;
          if (!connect($s, pack_sockaddr_un($ARGV[0]))) { print "kept out"; exit }
          $SIG{PIPE} = "IGNORE"; syswrite($s, "{\\"ask\\":\\"tree\\"}\\n");
          my $n = sysread($s, my $answer, 100); print defined $n && $n > 0 ? "told $answer" : "closed";
          """
        func answer() throws -> String {
          let process = Process(), output = Pipe()
          process.executableURL = URL(fileURLWithPath: "/usr/bin/perl")
          process.arguments = ["-e", script, server.listener.path]
          process.standardOutput = output
          try process.run()
          let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          return text
        }
        let first = try answer()
        #expect(first == "kept out")
        chmod(server.folder, 0o777)
        chmod(server.listener.path, 0o777)
        let second = try answer()
        #expect(second == "closed")
      }
    }

    @Test func aFolderThatOthersCanEnterIsRefused() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "open-\(UUID().uuidString.prefix(8))").path
      try #require(mkdir(folder, 0o700) == 0 && chmod(folder, 0o755) == 0)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      #expect(throws: CocoaError.self) { try Listener(folder: folder) }
      let link = folder + "-link"
      try #require(chmod(folder, 0o700) == 0 && symlink(folder, link) == 0)
      defer { unlink(link) }
      #expect(throws: CocoaError.self) { try Listener(folder: link) }
      let long = folder + "/" + String(repeating: "d", count: 100)
      #expect(throws: CocoaError.self) { try Listener(folder: long) }
      #expect(!FileManager.default.fileExists(atPath: long))
      #expect {
        try Listener(folder: folder + "/no/such")
      } throws: {
        ($0 as NSError).code == CocoaError.Code.fileNoSuchFile.rawValue
      }
    }

    @Test func aReleaseBuildRefusesUnlessAsked() {
      #expect {
        try CoreDataInstruments.listen(in: nil, isAllowed: false)
      } throws: { error in
        (error as NSError).code == NSCoreDataError && error.localizedDescription.contains("allowingReleaseBuilds")
      }
    }

    @Test func theSocketGoesWithTheListener() throws {
      let server = try LookServer([])
      #expect(FileManager.default.fileExists(atPath: server.listener.path))
      var facts = stat()
      #expect(stat(server.folder, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
      let client = try server.client()
      server.listener.removeSocket()
      server.listener.stop()
      #expect(!FileManager.default.fileExists(atPath: server.listener.path))
      #expect(client.line() == nil)
      try FileManager.default.removeItem(atPath: server.folder)
    }
  }
#endif
