import GRDB

// The same workloads with SQL, kept statements and columns by position: the fastest that GRDB's guide shows.
extension Stores {
  private static func items(of table: String) -> String { "SELECT \(HandItem.columns) FROM \(table)" }

  func runA1ByHand() throws {
    let queue = try open("baseline.db")
    try measure("A1") {
      try queue.read { database in
        try ["ZPERSON", "ZSELFIE", "ZSOCIALNETWORK"].reduce(0) {
          try $0 + database.all(HandItem.self, Self.items(of: $1)).count
        }
      }
    }
  }

  /// Every member is read from the database each time, in one read transaction.
  func runA2ByHand() throws {
    let queue = try open("baseline.db")
    try measure("A2") {
      try queue.read { database in
        let people = try database.cachedStatement(sql: "SELECT Z_1PEOPLE FROM Z_1SELFIES WHERE Z_2SELFIES = ?")
        let networks = try database.cachedStatement(
          sql: "SELECT Z_3SOCIALNETWORKS FROM Z_2SOCIALNETWORKS WHERE Z_2SELFIES1 = ?")
        let person = try database.cachedStatement(sql: Self.items(of: "ZPERSON") + " WHERE Z_PK = ?")
        let network = try database.cachedStatement(sql: Self.items(of: "ZSOCIALNETWORK") + " WHERE Z_PK = ?")
        var bytes = 0
        for selfie in Int64(1)...500 {
          for (keys, row) in [(people, person), (networks, network)] {
            for key in try Int64.fetchAll(keys, arguments: [selfie]) {
              bytes += try HandItem.fetchOne(row, arguments: [key])?.name.utf8.count ?? 0
            }
          }
        }
        return bytes
      }
    }
  }

  /// Two statements read the members with their owners' keys, the rest is dictionaries.
  func runA3ByHand() throws {
    let queue = try open("baseline.db")
    var selfies: [HandSelfie] = []
    func names() -> Int {
      selfies.reduce(0) { bytes, selfie in
        selfie.networks.reduce(selfie.people.reduce(bytes) { $0 + $1.name.utf8.count }) { $0 + $1.name.utf8.count }
      }
    }
    func members(
      _ database: Database, _ table: String, _ join: String, _ member: String, _ owner: String,
      of path: WritableKeyPath<HandSelfie, [HandItem]>, _ places: [Int64: Int]
    ) throws {
      let all = try database.all(HandItem.self, Self.items(of: table))
      let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
      let rows = try Row.fetchCursor(database.cachedStatement(sql: "SELECT \(owner), \(member) FROM \(join)"))
      while let row = try rows.next() {
        guard let place = places[row[0]], let item = byKey[row[1]] else { continue }
        selfies[place][keyPath: path].append(item)
      }
    }
    try measure("A3", prepare: { selfies = [] }) {
      try queue.read { database in
        selfies = try database.all(HandItem.self, Self.items(of: "ZSELFIE") + " ORDER BY Z_PK").map {
          HandSelfie(selfie: $0)
        }
        let places = Dictionary(uniqueKeysWithValues: selfies.enumerated().map { ($1.selfie.key, $0) })
        try members(database, "ZPERSON", "Z_1SELFIES", "Z_1PEOPLE", "Z_2SELFIES", of: \.people, places)
        try members(
          database, "ZSOCIALNETWORK", "Z_2SOCIALNETWORKS", "Z_3SOCIALNETWORKS", "Z_2SELFIES1", of: \.networks, places)
      }
      return names()
    }
    try measure("A4") { names() }
  }

  func runA5ByHand() throws {
    let queue = try open("baseline.db")
    let sql = Self.items(of: "ZSELFIE") + " WHERE ZNAME GLOB '*e*ie*' OR ZRATING<5"
    try measure("A5") {
      var found = 0
      for _ in 0..<1000 { found = try queue.read { try $0.all(HandItem.self, sql).count } }
      return found
    }
  }

  func runA6ByHand() throws {
    let queue = try open("baseline.db")
    let sql =
      Self.items(of: "ZPERSON p")
        + """
         WHERE EXISTS (SELECT 1 FROM Z_1SELFIES j JOIN ZSELFIE s ON s.Z_PK = j.Z_2SELFIES
        WHERE j.Z_1PEOPLE = p.Z_PK AND (s.ZRATING<5 OR s.ZNAME GLOB '*e*ie*'))
        """
    try measure("A6") { try queue.read { try $0.all(HandItem.self, sql).count } }
  }

  func runA7ByHand() throws {
    let queue = try copy("baseline.db")
    try measure("A7-single") {
      try queue.write { database in
        let people = try database.all(HandItem.self, Self.items(of: "ZPERSON"))
        let update = try database.cachedStatement(sql: "UPDATE ZPERSON SET ZRATING = ?, Z_OPT = ? WHERE Z_PK = ?")
        for person in people {
          try update.execute(arguments: [person.rating + 1, person.version + 1, person.key])
        }
        return people.count
      }
    }
    try measure("A7-batch") {
      try queue.write { database in
        try database.cachedStatement(sql: "UPDATE ZPERSON SET ZRATING = ZRATING + 1, Z_OPT = Z_OPT + 1").execute()
        return database.changesCount
      }
    }
    try queue.close()
    try removeScratch()
  }

  func runCByHand() throws {
    var queue: DatabaseQueue?
    let schema =
      "CREATE TABLE ZPERSON(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZRATING INTEGER,ZNAME VARCHAR)"
    try measure("C", prepare: { queue = try new([schema], replacing: queue) }) {
      for key in 1...10_000 {
        try queue?.write { database in
          try database.cachedStatement(sql: "INSERT INTO ZPERSON VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [key, 1, 1, key % 1000, "item \(key)"])
        }
      }
      return 10_000
    }
    try queue?.close()
    try removeScratch()
  }
}
