#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Notifications", .needsServer)
  struct NotificationTests {
    @Test func theyComeWhileNothingRuns() throws {
      let listener = try ServerConnection.toTests(), sender = try ServerConnection.toTests()
      try listener.run("LISTEN \"a channel\"")
      #expect(try listener.notifications() == [])
      #expect(try listener.waitForNotification(deadline: .now + .milliseconds(50)) == [])
      let process = sender.serverProcess
      let expected = ServerNotification(channel: "a channel", payload: "hello", process: process)
      // While the listener waits, or before.
      Thread.detachNewThread {
        try? sender.run("NOTIFY \"a channel\", 'hello'")
      }
      #expect(try listener.waitForNotification(deadline: Patience.limit) == [expected])
      #expect(try listener.notifications() == [])
    }

    @Test func theyComeWithTheResultsOfAFlight() throws {
      let connection = try ServerConnection.toTests()
      try connection.run("LISTEN own")
      try connection.run("NOTIFY own, '1'")
      try connection.run("NOTIFY own, '2'")
      #expect(try connection.notifications().map(\.payload) == ["1", "2"])
    }

    @Test func aListenerWhoseSessionIsEnded() throws {
      let listener = try ServerConnection.toTests(), process = listener.serverProcess
      try listener.run("LISTEN gone")
      Thread.detachNewThread {
        try? ServerConnection.toTests().run("SELECT pg_terminate_backend(\(process))")
      }
      let error = #expect(throws: ServerError.self) { try listener.waitForNotification(deadline: Patience.limit) }
      #expect(error?.isConnectionLost == true)
      #expect(!listener.isUsable)
    }
  }
#endif
