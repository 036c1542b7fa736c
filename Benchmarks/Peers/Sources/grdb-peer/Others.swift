import GRDB

let photoTable = """
  CREATE TABLE ZPHOTO(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZHEIGHT INTEGER,ZLIKES INTEGER,ZSIZE INTEGER,\
  ZWIDTH INTEGER,ZDATE TIMESTAMP,ZLATITUDE FLOAT,ZLONGITUDE FLOAT,ZASSETURL VARCHAR,ZCOUNTRY VARCHAR,\
  ZLOCATIONDESC VARCHAR)
  """
private let date = "CREATE INDEX ZPHOTO_DATE ON ZPHOTO(ZDATE)"
let indexings = [
  ("none", []), ("single", [date, "CREATE INDEX ZPHOTO_LIKES ON ZPHOTO(ZLIKES)"]),
  ("compound", [date, "CREATE INDEX ZPHOTO_LIKES_DATE ON ZPHOTO(ZLIKES,ZDATE)"]),
]
let sightingSchema = [
  "CREATE TABLE ZSIGHTING(Z_PK INTEGER PRIMARY KEY,Z_ENT INTEGER,Z_OPT INTEGER,ZDATE TIMESTAMP,ZUID VARCHAR,"
    + "ZSHAPE VARCHAR,ZCITY VARCHAR)", "CREATE INDEX ZSIGHTING_UID ON ZSIGHTING(ZUID)",
]

extension Stores {
  func runB1() throws {
    let photos = try open("baseline-photos-10000-none.db").read { try Photo.fetchAll($0) }
    var queue: DatabaseQueue?
    for (name, indexes) in indexings {
      try measure("B1-\(name)", prepare: { queue = try new([photoTable] + indexes, replacing: queue) }) {
        try queue?.write { database in for photo in photos { try photo.insert(database) } }
        return photos.count
      }
    }
    try queue?.close()
    try removeScratch()
  }

  func runB2() throws {
    for (name, _) in indexings {
      let queue = try open("baseline-photos-10000-\(name).db")
      var photos: [Photo] = []
      func answer() -> Int {
        var digest = Digest()
        for photo in photos { digest.add(photo.date.bitPattern) }
        return digest.answer
      }
      try measure("B2-\(name)", answer: answer) {
        photos = []
        photos = try queue.read { try Photo.order(Photo.CodingKeys.date).fetchAll($0) }
        return photos.count
      }
    }
  }

  func runD() throws {
    let store = try open("baseline-sightings.db")
    let shape = Sighting.CodingKeys.shape
    try measure("D-group") {
      var digest = Digest()
      for row in try store.read({ try Row.fetchAll($0, Sighting.select(shape, count(shape)).group(shape).order(shape)) }
      ) {
        let (name, count): (String, UInt64) = (row[0], row[1])
        for part in [UInt64(name.utf8.first ?? 0), UInt64(name.utf8.count), count] { digest.add(part) }
      }
      return digest.answer
    }
    let all = try store.read { try Sighting.order(Sighting.CodingKeys.key).fetchAll($0) }
    var queue: DatabaseQueue?
    try measure("D-create", prepare: { queue = try new(sightingSchema, replacing: queue) }) {
      try queue.map { try importing(all, into: $0).created } ?? 0
    }
    try queue?.close()
    try removeScratch()
    try measure("D-find") { try importing(all, into: store).found }
  }

  /// Each batch of 1,000 is one fetch and one transaction.
  private func importing(_ all: [Sighting], into queue: DatabaseQueue) throws -> (created: Int, found: Int) {
    var (created, found) = (0, 0)
    for start in stride(from: 0, to: all.count, by: 1000) {
      let batch = all[start..<start + 1000]
      try queue.write { database in
        let there = try Sighting.filter(batch.map(\.uid).contains(Sighting.CodingKeys.uid)).fetchAll(database)
        let known = Dictionary(there.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
        found += known.count
        for sighting in batch where known[sighting.uid] == nil {
          try sighting.insert(database)
          created += 1
        }
      }
    }
    return (created, found)
  }

  func runN1() throws {
    let queue = try open("baseline-owners.db")
    try measure("N1-prefetched") {
      let owners = try queue.read {
        try Owner.including(all: Owner.members).asRequest(of: OwnerWithMembers.self).fetchAll($0)
      }
      return owners.reduce(0) { bytes, owner in owner.members.reduce(bytes) { $0 + $1.name.utf8.count } }
    }
    try measure("N1-plain") {
      try queue.read { database in
        var bytes = 0
        for owner in try Owner.fetchAll(database) {
          for member in try Member.filter(Member.CodingKeys.owner == owner.key).fetchAll(database) {
            bytes += member.name.utf8.count
          }
        }
        return bytes
      }
    }
  }
}
