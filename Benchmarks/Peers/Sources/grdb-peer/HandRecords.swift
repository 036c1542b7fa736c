import GRDB

/// The rows of people, selfies and networks, as GRDB's performance guide writes them: columns by position.
struct HandItem: FetchableRecord {
  static let columns = "Z_PK, Z_ENT, Z_OPT, ZRATING, ZNAME"
  let key: Int64
  let entity, version: Int
  var rating: Int
  let name: String

  init(row: Row) {
    key = row[0]
    entity = row[1]
    version = row[2]
    rating = row[3]
    name = row[4]
  }
}

struct HandPhoto: FetchableRecord {
  static let columns = """
    Z_PK, Z_ENT, Z_OPT, ZHEIGHT, ZLIKES, ZSIZE, ZWIDTH, ZDATE, ZLATITUDE, ZLONGITUDE, ZASSETURL, ZCOUNTRY, ZLOCATIONDESC
    """
  let key: Int64
  let entity, version, height, likes, size, width: Int
  let date, latitude, longitude: Double
  let url, country, place: String

  init(row: Row) {
    key = row[0]
    (entity, version) = (row[1], row[2])
    (height, likes, size, width) = (row[3], row[4], row[5], row[6])
    (date, latitude, longitude) = (row[7], row[8], row[9])
    (url, country, place) = (row[10], row[11], row[12])
  }

  var arguments: StatementArguments {
    [key, entity, version, height, likes, size, width, date, latitude, longitude, url, country, place]
  }
}

struct HandSighting: FetchableRecord {
  static let columns = "Z_PK, Z_ENT, Z_OPT, ZDATE, ZUID, ZSHAPE, ZCITY"
  let key: Int64
  let entity, version: Int
  let date: Double
  let uid, shape, city: String

  init(row: Row) {
    key = row[0]
    (entity, version, date) = (row[1], row[2], row[3])
    (uid, shape, city) = (row[4], row[5], row[6])
  }

  var arguments: StatementArguments { [key, entity, version, date, uid, shape, city] }
}

struct HandMember: FetchableRecord {
  static let columns = "Z_PK, Z_ENT, Z_OPT, ZOWNER, ZNAME"
  let key: Int64
  let entity, version: Int
  let owner: Int64
  let name: String

  init(row: Row) {
    key = row[0]
    (entity, version, owner, name) = (row[1], row[2], row[3], row[4])
  }
}

struct HandOwner: FetchableRecord {
  static let columns = "Z_PK, Z_ENT, Z_OPT, ZNAME"
  let key: Int64
  let entity, version: Int
  let name: String
  var members: [HandMember] = []

  init(row: Row) {
    key = row[0]
    (entity, version, name) = (row[1], row[2], row[3])
  }
}

/// A selfie with what is related to it.
struct HandSelfie {
  let selfie: HandItem
  var people: [HandItem] = []
  var networks: [HandItem] = []
}

extension Database {
  /// All rows of a query whose statement is kept.
  func all<Record: FetchableRecord>(
    _ type: Record.Type, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [Record] {
    try Record.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }
}
