import Foundation

extension InspectedStore {
  /// Returns how many members an object's to-many relationship has.
  /// - Throws: 134060 for an unknown entity or relationship.
  package func memberCount(of reference: InspectedReference, _ relationship: String) throws -> Int {
    let parts = try memberParts(of: reference, relationship)
    let statement = try connection.statement("SELECT COUNT(*) \(parts.from) WHERE \(parts.owner) = ?")
    statement.bind(reference.key, at: 1)
    return Int(try connection.integer(of: statement) ?? 0)
  }

  /// Returns members of an object's to-many relationship: in their order if the relationship is ordered, otherwise by key.
  /// - Parameter limit: the largest number of members; 0 for all.
  /// - Throws: 134060 for an unknown entity or relationship.
  package func members(
    of reference: InspectedReference, _ relationship: String, limit: Int = 0, offset: Int = 0
  ) throws -> [InspectedReference] {
    let parts = try memberParts(of: reference, relationship)
    let statement = try connection.statement(
      "SELECT d.Z_PK, d.Z_ENT \(parts.from) WHERE \(parts.owner) = ? ORDER BY \(parts.order)d.Z_PK LIMIT ? OFFSET ?")
    statement.bind(reference.key, at: 1)
    statement.bind(limit > 0 ? Int64(limit) : -1, at: 2)
    statement.bind(Int64(offset), at: 3)
    statement.begin()
    defer { statement.reset() }
    var members: [InspectedReference] = []
    while try statement.step() {
      let name = schema?.entity(number: Int(statement.int(1)))?.name ?? parts.destination.name
      members.append(InspectedReference(entity: name, key: statement.int(0)))
    }
    return members
  }

  private struct MemberParts {
    let from: String
    let owner: String
    let order: String
    let destination: SQLEntity
  }

  private func memberParts(of reference: InspectedReference, _ relationship: String) throws -> MemberParts {
    let entity = try entity(named: reference.entity)
    guard let toMany = entity.toManys[relationship] else {
      let known = entity.toManys.keys.sorted().joined(separator: ", ")
      throw NSError(
        coreData: NSCoreDataError,
        "The entity \(entity.name) has no to-many relationship “\(relationship)”. It has \(known.isEmpty ? "none" : known).",
        [NSFilePathErrorKey: url.path])
    }
    let destination = try requiredSchema().destination(of: toMany)
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      return MemberParts(
        from: "FROM \(table.quotedName) d", owner: "d.\(column.quotedName)",
        order: order.map { hasColumn($0, in: table) ? "d.\($0.quotedName), " : "" } ?? "", destination: destination)
    case .join(let table, let source, let member, let order, _):
      return MemberParts(
        from:
          "FROM \(table.quotedName) j JOIN \(destination.tableName.quotedName) d ON d.Z_PK = j.\(member.quotedName)",
        owner: "j.\(source.quotedName)",
        order: order.map { hasColumn($0, in: table) ? "j.\($0.quotedName), " : "" } ?? "", destination: destination)
    }
  }
}
