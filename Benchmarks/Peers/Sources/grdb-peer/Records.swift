import GRDB

/// What people, selfies and networks have in common, as GRDB's guide writes records: Codable, with columns by name.
protocol Named: Codable, FetchableRecord, PersistableRecord {
  var name: String { get }
}

enum NamedColumn: String, CodingKey, ColumnExpression {
  case key = "Z_PK"
  case entity = "Z_ENT"
  case version = "Z_OPT"
  case rating = "ZRATING"
  case name = "ZNAME"
}

struct Person: Named {
  static let databaseTableName = "ZPERSON"
  typealias CodingKeys = NamedColumn
  var key: Int64
  var entity = 1
  var version = 1
  var rating: Int
  var name: String
}

struct Selfie: Named {
  static let databaseTableName = "ZSELFIE"
  typealias CodingKeys = NamedColumn
  static let people = hasMany(
    Person.self, through: hasMany(PersonOfSelfie.self, using: ForeignKey(["Z_2SELFIES"])), using: PersonOfSelfie.person
  )
  .forKey("people")
  static let networks = hasMany(
    Network.self, through: hasMany(NetworkOfSelfie.self, using: ForeignKey(["Z_2SELFIES1"])),
    using: NetworkOfSelfie.network
  ).forKey("networks")
  var key: Int64
  var entity: Int
  var version: Int
  var rating: Int
  var name: String
}

struct Network: Named {
  static let databaseTableName = "ZSOCIALNETWORK"
  typealias CodingKeys = NamedColumn
  var key: Int64
  var entity: Int
  var version: Int
  var rating: Int
  var name: String
}

struct PersonOfSelfie: TableRecord {
  static let databaseTableName = "Z_1SELFIES"
  static let person = belongsTo(Person.self, using: ForeignKey(["Z_1PEOPLE"]))
  static let selfie = belongsTo(Selfie.self, using: ForeignKey(["Z_2SELFIES"]))
}

struct NetworkOfSelfie: TableRecord {
  static let databaseTableName = "Z_2SOCIALNETWORKS"
  static let network = belongsTo(Network.self, using: ForeignKey(["Z_3SOCIALNETWORKS"]))
}

/// A selfie with what is related to it.
struct Related: Decodable, FetchableRecord {
  var selfie: Selfie
  var people: [Person]
  var networks: [Network]
}

struct Photo: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZPHOTO"
  enum CodingKeys: String, CodingKey, ColumnExpression {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case height = "ZHEIGHT"
    case likes = "ZLIKES"
    case size = "ZSIZE"
    case width = "ZWIDTH"
    case date = "ZDATE"
    case latitude = "ZLATITUDE"
    case longitude = "ZLONGITUDE"
    case url = "ZASSETURL"
    case country = "ZCOUNTRY"
    case place = "ZLOCATIONDESC"
  }
  var key: Int64
  var entity, version: Int
  var height, likes, size, width: Int
  var date, latitude, longitude: Double
  var url, country, place: String
}

struct Sighting: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZSIGHTING"
  enum CodingKeys: String, CodingKey, ColumnExpression {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case date = "ZDATE"
    case uid = "ZUID"
    case shape = "ZSHAPE"
    case city = "ZCITY"
  }
  var key: Int64
  var entity = 1
  var version = 1
  var date: Double
  var uid, shape, city: String
}

struct Owner: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZOWNER"
  static let members = hasMany(Member.self, using: ForeignKey(["ZOWNER"])).forKey("members")
  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case name = "ZNAME"
  }
  var key: Int64
  var entity, version: Int
  var name: String
}

struct Member: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZMEMBER"
  enum CodingKeys: String, CodingKey, ColumnExpression {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case owner = "ZOWNER"
    case name = "ZNAME"
  }
  var key: Int64
  var entity, version: Int
  var owner: Int64
  var name: String
}

struct OwnerWithMembers: Decodable, FetchableRecord {
  var owner: Owner
  var members: [Member]
}
