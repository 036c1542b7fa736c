#if PostgreSQL
  import PostgreSQLTestServer
  import Testing

  @Suite("Round trips")
  struct RoundTripTests {
    /// Returns the number of round trips in a list of messages. A message of the server begins with `<`.
    private func count(_ messages: String...) -> Int {
      var scanner = RoundTripScanner()
      return messages.reduce(0) { count, message in
        let isServers = message.hasPrefix("<")
        let kind = isServers ? String(message.dropFirst()) : message
        return count + (scanner.note(kind, of: isServers ? .server : .client) ? 1 : 0)
      }
    }

    @Test func aQueryIsOne() { #expect(count("Q", "<D", "<C", "<Z") == 1) }

    @Test func syncsThatAreSentTogetherAreOne() {
      #expect(count("B", "E", "S", "B", "E", "S", "<C", "<Z", "<C", "<Z") == 1)
      #expect(count("B", "S", "<Z", "B", "S", "<Z") == 2)
    }

    @Test func aCopyWaitsBeforeItsRowsAndAfterThem() {
      #expect(count("Q", "<G", "d", "d", "c", "<C", "<Z", "Q", "<Z") == 3)
      #expect(count("B", "E", "S", "<G", "d", "c", "S", "<C", "<Z", "B", "S", "<Z") == 3)
      #expect(count("B", "E", "S", "<G", "d", "f", "S", "<E", "<Z", "B", "S", "<Z") == 3)
    }
  }
#endif
