import GRDB

extension Stores {
  func runA1() throws {
    let queue = try open("baseline.db")
    try measure("A1") {
      try queue.read { database in
        try Person.fetchAll(database).count + Selfie.fetchAll(database).count + Network.fetchAll(database).count
      }
    }
  }

  /// Every member is read from the database each time, in one read transaction.
  func runA2() throws {
    let queue = try open("baseline.db")
    try measure("A2") {
      try queue.read { database in
        var bytes = 0
        for selfie in Int64(1)...500 {
          let people = PersonOfSelfie.filter(Column("Z_2SELFIES") == selfie).select(Column("Z_1PEOPLE"), as: Int64.self)
          for key in try people.fetchAll(database) {
            bytes += try Person.fetchOne(database, key: key)?.name.utf8.count ?? 0
          }
          let networks = NetworkOfSelfie.filter(Column("Z_2SELFIES1") == selfie)
            .select(Column("Z_3SOCIALNETWORKS"), as: Int64.self)
          for key in try networks.fetchAll(database) {
            bytes += try Network.fetchOne(database, key: key)?.name.utf8.count ?? 0
          }
        }
        return bytes
      }
    }
  }

  func runA3() throws {
    let queue = try open("baseline.db")
    var selfies: [Related] = []
    func names() -> Int {
      selfies.reduce(0) { bytes, selfie in
        selfie.networks.reduce(selfie.people.reduce(bytes) { $0 + $1.name.utf8.count }) { $0 + $1.name.utf8.count }
      }
    }
    try measure("A3", prepare: { selfies = [] }) {
      selfies = try queue.read { database in
        try Selfie.order(NamedColumn.key).including(all: Selfie.people).including(all: Selfie.networks)
          .asRequest(of: Related.self).fetchAll(database)
      }
      return names()
    }
    try measure("A4") { names() }
  }

  func runA5() throws {
    let queue = try open("baseline.db")
    let request = Selfie.filter(sql: "ZNAME GLOB '*e*ie*' OR ZRATING<5")
    try measure("A5") {
      var found = 0
      for _ in 0..<1000 { found = try queue.read { try request.fetchAll($0).count } }
      return found
    }
  }

  func runA6() throws {
    let queue = try open("baseline.db")
    let person = TableAlias(name: "p")
    let joined = PersonOfSelfie.joining(required: PersonOfSelfie.selfie.filter(sql: "ZRATING<5 OR ZNAME GLOB '*e*ie*'"))
    let request = Person.aliased(person).filter(joined.filter(Column("Z_1PEOPLE") == person[Column("Z_PK")]).exists())
    try measure("A6") { try queue.read { try request.fetchAll($0).count } }
  }

  func runA7() throws {
    let queue = try copy("baseline.db")
    try measure("A7-single") {
      try queue.write { database in
        let people = try Person.fetchAll(database)
        for var person in people {
          person.rating += 1
          person.version += 1
          try person.update(database)
        }
        return people.count
      }
    }
    try measure("A7-batch") {
      try queue.write { database in
        try Person.updateAll(database, NamedColumn.rating += 1, NamedColumn.version += 1)
      }
    }
    try queue.close()
    try removeScratch()
  }

  func runC() throws {
    var queue: DatabaseQueue?
    let schema =
      "CREATE TABLE ZPERSON(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZRATING INTEGER,ZNAME VARCHAR)"
    try measure("C", prepare: { queue = try new([schema], replacing: queue) }) {
      for key in 1...10_000 {
        try queue?.write { database in
          try Person(key: Int64(key), rating: key % 1000, name: "item \(key)").insert(database)
        }
      }
      return 10_000
    }
    try queue?.close()
    try removeScratch()
  }
}
