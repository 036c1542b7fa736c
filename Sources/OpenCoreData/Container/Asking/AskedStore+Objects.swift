import Foundation

extension AskedStore {
  package func objectCount(of name: String) throws -> Int {
    var query = StoreQuery(entity: name)
    query.includesSubentities = false
    return try count(query)
  }

  package func objects(of name: String, _ body: (InspectedObject) throws -> Void) throws {
    let layout = try layout(named: name)
    let attributes = layout.attributeSlots.sorted { $0.name < $1.name }
    let toOnes = layout.toOneSlots.sorted { $0.name < $1.name }
    let toManys = layout.toManySlots.sorted { $0.name < $1.name }
    let keys = try reader.keys(of: layout)
    for start in stride(from: 0, to: keys.count, by: Self.batchSize) {
      let batch = ContiguousArray(keys[start..<min(start + Self.batchSize, keys.count)])
      let rows = try reader.rows(batch, layout)
      let members = try toManys.map { slot in
        (slot, try reader.members(of: batch, slot, layout), try destinations(slot, layout, batch))
      }
      for row in rows {
        try body(
          InspectedObject(
            reference: InspectedReference(entity: layout.name, key: row.primaryKey),
            attributes: try attributes.map { ($0.name, try InspectedValue($0, row)) },
            toOnes: toOnes.map { ($0.name, reference($0, row)) },
            toManys: members.map { slot, members, entities in
              var keys = Array(members[row.primaryKey]?.keys ?? [])
              if !slot.isOrdered { keys.sort() }
              return (slot.name, keys.map { InspectedReference(entity: entities($0), key: $0) })
            }))
      }
    }
  }

  /// Returns the object that a to-one relationship leads to.
  func reference(_ slot: PropertySlot, _ row: Snapshot) -> InspectedReference? {
    if row.isNull(slot.index) { return nil }
    return InspectedReference(entity: reader.destination(slot, row)?.name ?? "", key: row.int(slot.index))
  }

  /// Returns a function that gives the entity's name for a member's key. The members are known by their keys only,
  /// which is enough if the destination has no subentities.
  private func destinations(
    _ slot: PropertySlot, _ layout: EntityLayout, _ owners: ContiguousArray<Int64>
  ) throws -> (Int64) -> String {
    guard let destination = slot.destination else { return { _ in "" } }
    let name = destination.name ?? ""
    if destination.subentities.isEmpty { return { _ in name } }
    if let known = entitiesOfMembers[ObjectIdentifier(destination)] { return { known[$0] ?? name } }
    let ids = try fetch(StoreQuery(entity: name))
    let known = Dictionary(ids.map { ($0.key, $0.entity.name ?? name) }, uniquingKeysWith: { first, _ in first })
    entitiesOfMembers[ObjectIdentifier(destination)] = known
    return { known[$0] ?? name }
  }
}

extension InspectedValue {
  /// The value that a row has for an attribute.
  /// - Throws: the error of reading the file of a large value.
  init(_ slot: PropertySlot, _ row: Snapshot) throws {
    if let unread = row.unread(slot.index) {
      self = .data(try unread.read().data)
      return
    }
    self =
      switch StoredValue.read(slot, from: row) {
      case .int(let value): slot.kind == .bool ? .bool(value != 0) : .integer(value)
      case .double(let value):
        switch slot.kind {
        case .date: .date(value)
        case .float: .float(Float(value))
        default: .real(value)
        }
      case .decimal(let value): .decimal(value)
      case .string(let value): .text(value)
      case .data(let value): .data(value)
      case .uuid(let value): .uuid(value)
      case .unset, .null, .other, .transformed, .object: .null
      }
  }

  /// The value of a fetched dictionary.
  init(_ value: Any?, _ attribute: NSAttributeDescription?) {
    switch value {
    case let id as NSManagedObjectID: self = .object(InspectedReference(entity: id.entity.name ?? "", key: id.key))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let uuid as UUID: self = .uuid(uuid)
    case let data as Data: self = .data(data)
    case let text as String: self = .text(text)
    case let url as URL: self = .text(url.absoluteString)
    case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
    case let number as NSNumber:
      switch attribute?.attributeType {
      case .booleanAttributeType: self = .bool(number.boolValue)
      case .floatAttributeType: self = .float(number.floatValue)
      case .doubleAttributeType: self = .real(number.doubleValue)
      default:
        let isWhole = ["c", "C", "s", "S", "i", "I", "l", "L", "q", "Q", "B"].contains(String(cString: number.objCType))
        self = isWhole ? .integer(number.int64Value) : .real(number.doubleValue)
      }
    case let value?: self = .text("\(value)")
    case nil: self = .null
    }
  }
}
