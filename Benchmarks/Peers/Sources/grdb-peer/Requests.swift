import GRDB

private struct Message: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var channel: Int
  var date: Double
  var author: String
  var text: String

  init(_ number: Int) {
    channel = number % 100
    date = Double(number)
    author = "Author \(number % 37)"
    text = "The text of message \(number % 1000)"
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension Stores {
  /// Requests of a server: the latest 20 messages of a channel, and a new one.
  func runRequests() throws {
    let queue = try new([], replacing: nil)
    try queue.write { database in
      try database.create(table: "message") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("channel", .integer)
        table.column("date", .double)
        table.column("author", .text)
        table.column("text", .text)
      }
      try database.create(index: "byChannelAndDate", on: "message", columns: ["channel", "date"])
      for number in 0..<10_000 {
        var message = Message(number)
        try message.insert(database)
      }
    }
    var requests = 0
    try measure("request") {
      var read = 0
      for _ in 0..<1000 {
        let request = Message.filter(Column("channel") == requests % 100).order(Column("date").desc).limit(20)
        read += try queue.read { try request.fetchAll($0) }.count { !$0.text.isEmpty }
        var new = Message(10_000 + requests)
        try queue.write { try new.insert($0) }
        requests += 1
      }
      return read
    }
    let saved = try queue.read { try Message.fetchCount($0) }
    guard saved == 10_000 + requests else { throw PeerError(description: "request: there are \(saved) messages") }
    try queue.close()
    try removeScratch()
  }
}
