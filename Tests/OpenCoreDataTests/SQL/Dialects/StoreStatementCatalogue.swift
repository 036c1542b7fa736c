import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// The statements by which a store keeps objects, on a model of bands: tables and indexes, rows, members, their order, deletions
/// and history.
struct StoreStatementCatalogue {
  typealias Entry = StatementCatalogue.Entry

  let schema: SQLModel

  var entries: [Entry] {
    definitions + rows + reading + members + order + deletions + history
  }

  // MARK: The model

  /// Bands have players in an order, songs in an order with bands in one, friends, and parts that know of no band; singers are
  /// players.
  static func model() -> NSManagedObjectModel {
    let unit = TestModel.entity("Part", [TestModel.attribute("label", .stringAttributeType)])
    let song = TestModel.entity(
      "Song", [TestModel.attribute("title", .stringAttributeType), TestModel.attribute("length", .doubleAttributeType)])
    let player = TestModel.entity(
      "Player",
      [
        TestModel.attribute("name", .stringAttributeType), TestModel.attribute("isHired", .booleanAttributeType),
        TestModel.attribute("badge", .UUIDAttributeType), TestModel.attribute("fee", .decimalAttributeType),
      ])
    let singer = TestModel.entity("Singer", [TestModel.attribute("range", .integer16AttributeType)], parent: player)
    let band = TestModel.entity(
      "Band",
      [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("town", .stringAttributeType)])
    band.uniquenessConstraints = [["name", "town"]]
    TestModel.relate(band, "players", max: 0, player, "band", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(band, "songs", max: 0, song, "bands", max: 0)
    TestModel.relate(band, "leader", max: 1, player, "led", max: 0, rule: .denyDeleteRule)
    for (entity, name) in [(band, "players"), (band, "songs"), (song, "bands")] {
      entity.relationshipsByName[name]?.isOrdered = true
    }
    let friends = NSRelationshipDescription(), parts = NSRelationshipDescription()
    (friends.name, friends.destinationEntity, friends.maxCount, friends.deleteRule) =
      ("friends", band, 0, .nullifyDeleteRule)
    friends.inverseRelationship = friends
    (parts.name, parts.destinationEntity, parts.maxCount, parts.isOrdered, parts.deleteRule) =
      ("parts", unit, 0, true, .nullifyDeleteRule)
    band.properties += [friends, parts]
    song.indexes = [
      NSFetchIndexDescription(
        name: "byLength",
        elements: [
          NSFetchIndexElementDescription(property: song.propertiesByName["length"]!, collationType: .binary),
          NSFetchIndexElementDescription(property: song.propertiesByName["title"]!, collationType: .binary),
        ])
    ]
    song.indexes[0].elements[1].isAscending = false
    song.indexes[0].partialIndexPredicate = NSPredicate(format: "length > 1.5 AND title != nil")
    let model = NSManagedObjectModel()
    model.entities = [band, player, singer, song, unit]
    return model
  }

  // MARK: Tables and indexes

  private func entry(_ name: String, _ alteration: SQLAlteration) -> Entry {
    Entry(name: name, isDefinition: true) { try SQLCommand.alteration(alteration).statement(schema.dialect) }
  }

  private var definitions: [Entry] {
    DDL.definitions(of: schema).map { entry("table \($0.name)", .create($0)) }
      + HistoryTables.definitions(tombstones: 0, schema.dialect).map { entry("table \($0.name)", .create($0)) }
      + DDL.indexDefinitions(of: schema).map { entry("index \($0.name)", .createIndex($0)) }
      + [
        entry("a table to alter", .create(SQLTableDefinition(name: "OLD", columns: [SQLColumnDefinition("A", .key)]))),
        entry("add a column", .addColumn(SQLColumnDefinition("B", .string), table: "OLD")),
        entry("rename a column", .renameColumn("B", to: "C", table: "OLD")),
        entry("index it", .createIndex(SQLIndexDefinition(name: "OLD_C", table: "OLD", terms: [.key("C")]))),
        entry("drop the index", .dropIndex("OLD_C")), entry("drop a column", .dropColumn("C", table: "OLD")),
        entry("rename the table", .renameTable("OLD", to: "NEW")), entry("drop the table", .dropTable("NEW")),
      ]
  }

  // MARK: Rows

  private var rows: [Entry] {
    func rows(_ name: String) throws -> SQLRows { SQLRows(entity: try entity(name)) }
    return [
      Entry(name: "insert") { try rows("Singer").insertion.statement(schema.dialect) },
      Entry(name: "update of some columns") { try rows("Singer").update([0, 2, 4]).statement(schema.dialect) },
      Entry(name: "update of an owner") {
        let position = try entity("Player").positions["band"] ?? 0
        return try rows("Player").update([position]).statement(schema.dialect)
      },
      Entry(name: "update of the version alone") { try rows("Song").update([]).statement(schema.dialect) },
      Entry(name: "delete") { try rows("Song").deletion.statement(schema.dialect) },
      Entry(name: "presence") { try rows("Song").presence.statement(schema.dialect) },
      Entry(name: "versions") { try rows("Song").versions.statement(schema.dialect) },
      Entry(name: "vacating unique values") { try rows("Band").vacating(columns("Band")).statement(schema.dialect) },
      Entry(name: "looking up unique values") {
        try rows("Band").lookUp(attributes("Band"), groups: 3).statement(schema.dialect)
      },
      Entry(name: "having unique values") { try rows("Band").having(attributes("Band")).statement(schema.dialect) },
      Entry(name: "overwriting") { try rows("Band").overwriting(attributes("Band")).statement(schema.dialect) },
    ]
  }

  private func attributes(_ name: String) throws -> [SQLAttributeColumn] {
    try entity(name).columns.prefix(2).map { SQLAttributeColumn($0.typedNames[0]) }
  }

  private func columns(_ name: String) throws -> [String] { try attributes(name).map(\.name) }

  private var reading: [Entry] {
    func rows(_ name: String) throws -> SQLRowReading { SQLRowReading(entity: try entity(name)) }
    return [
      Entry(name: "a row by its key") { try rows("Player").byKeys(1).statement(schema.dialect) },
      Entry(name: "rows by their keys") { try rows("Song").byKeys(4).statement(schema.dialect) },
      Entry(name: "every row") { try rows("Player").all.statement(schema.dialect) },
      Entry(name: "every row of a subentity") { try rows("Singer").all.statement(schema.dialect) },
      Entry(name: "rows of owners") {
        try rows("Player").ofOwners(try entity("Player").toOne(named: "band")?.keyColumn ?? "").statement(
          schema.dialect)
      },
    ]
  }

  // MARK: Members

  private func members(_ name: String) throws -> (SQLMembers, SQLToMany.Storage) {
    guard let toMany = try entity("Band").toManys[name] else { throw missing(name) }
    return (SQLMembers(toMany, in: schema), toMany.storage)
  }

  private var members: [Entry] {
    func ofPairs(_ make: @escaping (_ table: String, _ owner: String, _ member: String) throws -> SQLStatement)
      -> () throws -> SQLStatement
    {
      {
        guard case .join(let table, let owner, let member, _, _) = try members("songs").1 else {
          throw missing("songs")
        }
        return try make(table, owner, member)
      }
    }
    func ofRows(
      _ make: @escaping (SQLMembers, _ table: String, _ owner: String, _ order: String?) throws -> SQLStatement
    )
      -> () throws -> SQLStatement
    {
      {
        let (members, storage) = try members("parts")
        guard case .foreignKey(let table, let owner, _, let order) = storage else { throw missing("parts") }
        return try make(members, table, owner, order)
      }
    }
    return ["players", "songs", "friends", "parts"].flatMap { name in
      [
        Entry(name: "\(name) of one") { try members(name).0.keys(ofMany: false).statement(schema.dialect) },
        Entry(name: "\(name) of many") { try members(name).0.keys(ofMany: true).statement(schema.dialect) },
      ]
    } + [
      Entry(name: "a pair added", statement: ofPairs { try SQLMembers.addition($0, $1, $2).statement(schema.dialect) }),
      Entry(
        name: "a pair removed", statement: ofPairs { try SQLMembers.removal($0, $1, $2).statement(schema.dialect) }),
      Entry(name: "a member released", statement: ofRows { try $0.release($1, $2, $3).statement(schema.dialect) }),
      Entry(
        name: "a member's owner",
        statement: ofRows { members, table, owner, _ in
          try members.owner(table, owner).statement(schema.dialect)
        }),
      Entry(name: "a member adopted", statement: ofRows { try $0.adoption($1, $2, $3).statement(schema.dialect) }),
    ]
      + ["songs", "friends", "parts"].map { name in
        Entry(name: "\(name) without their owner") {
          let change = try members(name).0.withoutOwner(hasInverse: false, isSymmetric: name == "friends")
          guard let change else { throw missing(name) }
          return try change.statement(schema.dialect)
        }
      }
  }

  private var order: [Entry] {
    ["players", "songs"].flatMap { name in
      func order(_ make: @escaping (SQLMemberOrder) throws -> SQLStatement) -> () throws -> SQLStatement {
        {
          guard let toMany = try entity("Band").toManys[name],
            let order = SQLMemberOrder(toMany, fixed: schema.dialect.columns)
          else { throw missing(name) }
          return try make(order)
        }
      }
      return [
        Entry(name: "highest place of \(name)", statement: order { try $0.highest.statement(schema.dialect) }),
        Entry(name: "places of \(name)", statement: order { try $0.members.statement(schema.dialect) }),
        Entry(name: "the place among \(name)", statement: order { try $0.sortKey.statement(schema.dialect) }),
        Entry(name: "placing among \(name)", statement: order { try $0.placing.statement(schema.dialect) }),
      ]
    } + [
      Entry(name: "players without a place") {
        guard let toOne = try entity("Player").toOne(named: "band"), let order = toOne.orderColumn else {
          throw missing("band")
        }
        return try SQLMemberOrder.withoutPlace(entity("Player"), owner: toOne.keyColumn, order: order)
          .statement(schema.dialect)
      }
    ]
  }

  // MARK: Parts

  func entity(_ name: String) throws -> SQLEntity {
    guard let entity = schema.entity(named: name) else { throw missing(name) }
    return entity
  }

  func missing(_ name: String) -> TestDatabase.Failure { TestDatabase.Failure(message: "no \(name)") }
}
