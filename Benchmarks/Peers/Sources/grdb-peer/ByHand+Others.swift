import GRDB

extension Stores {
  func runB1ByHand() throws {
    let photos = try open("baseline-photos-10000-none.db").read {
      try $0.all(HandPhoto.self, "SELECT \(HandPhoto.columns) FROM ZPHOTO")
    }
    var queue: DatabaseQueue?
    for (name, indexes) in indexings {
      try measure("B1-\(name)", prepare: { queue = try new([photoTable] + indexes, replacing: queue) }) {
        try queue?.write { database in
          let insert = try database.cachedStatement(
            sql: "INSERT INTO ZPHOTO (\(HandPhoto.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
          for photo in photos { try insert.execute(arguments: photo.arguments) }
        }
        return photos.count
      }
    }
    try queue?.close()
    try removeScratch()
  }

  func runB2ByHand() throws {
    for (name, _) in indexings {
      let queue = try open("baseline-photos-10000-\(name).db")
      var photos: [HandPhoto] = []
      func answer() -> Int {
        var digest = Digest()
        for photo in photos { digest.add(photo.date.bitPattern) }
        return digest.answer
      }
      try measure("B2-\(name)", answer: answer) {
        photos = []
        photos = try queue.read {
          try $0.all(HandPhoto.self, "SELECT \(HandPhoto.columns) FROM ZPHOTO ORDER BY ZDATE")
        }
        return photos.count
      }
    }
  }

  func runDByHand() throws {
    let store = try open("baseline-sightings.db")
    try measure("D-group") {
      var digest = Digest()
      try store.read { database in
        let rows = try Row.fetchCursor(
          database.cachedStatement(sql: "SELECT ZSHAPE, COUNT(ZSHAPE) FROM ZSIGHTING GROUP BY ZSHAPE ORDER BY ZSHAPE"))
        while let row = try rows.next() {
          let (name, count): (String, UInt64) = (row[0], row[1])
          for part in [UInt64(name.utf8.first ?? 0), UInt64(name.utf8.count), count] { digest.add(part) }
        }
      }
      return digest.answer
    }
    let all = try store.read {
      try $0.all(HandSighting.self, "SELECT \(HandSighting.columns) FROM ZSIGHTING ORDER BY Z_PK")
    }
    var queue: DatabaseQueue?
    try measure("D-create", prepare: { queue = try new(sightingSchema, replacing: queue) }) {
      try queue.map { try importingByHand(all, into: $0).created } ?? 0
    }
    try queue?.close()
    try removeScratch()
    try measure("D-find") { try importingByHand(all, into: store).found }
  }

  /// Each batch of 1,000 is one fetch and one transaction.
  private func importingByHand(_ all: [HandSighting], into queue: DatabaseQueue) throws -> (created: Int, found: Int) {
    var (created, found) = (0, 0)
    let variables = Array(repeating: "?", count: 1000).joined(separator: ", ")
    for start in stride(from: 0, to: all.count, by: 1000) {
      let batch = all[start..<start + 1000]
      try queue.write { database in
        let there = try database.all(
          HandSighting.self, "SELECT \(HandSighting.columns) FROM ZSIGHTING WHERE ZUID IN (\(variables))",
          StatementArguments(batch.map(\.uid)))
        let known = Dictionary(there.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
        found += known.count
        let insert = try database.cachedStatement(
          sql: "INSERT INTO ZSIGHTING (\(HandSighting.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
        for sighting in batch where known[sighting.uid] == nil {
          try insert.execute(arguments: sighting.arguments)
          created += 1
        }
      }
    }
    return (created, found)
  }

  func runN1ByHand() throws {
    let queue = try open("baseline-owners.db")
    let owners = "SELECT \(HandOwner.columns) FROM ZOWNER", members = "SELECT \(HandMember.columns) FROM ZMEMBER"
    try measure("N1-prefetched") {
      let owners = try queue.read { database in
        var owners = try database.all(HandOwner.self, owners)
        let places = Dictionary(uniqueKeysWithValues: owners.enumerated().map { ($1.key, $0) })
        for member in try database.all(HandMember.self, members) {
          if let place = places[member.owner] { owners[place].members.append(member) }
        }
        return owners
      }
      return owners.reduce(0) { bytes, owner in owner.members.reduce(bytes) { $0 + $1.name.utf8.count } }
    }
    try measure("N1-plain") {
      try queue.read { database in
        let members = try database.cachedStatement(sql: members + " WHERE ZOWNER = ?")
        var bytes = 0
        for owner in try database.all(HandOwner.self, owners) {
          for member in try HandMember.fetchAll(members, arguments: [owner.key]) { bytes += member.name.utf8.count }
        }
        return bytes
      }
    }
  }
}
