/// Hands out names that differ from each other without regard to case: a name that is taken gets a digit.
struct SQLNames {
  private var taken: Set<String> = []

  init() {}

  /// - Parameter taken: names that are in use already.
  init(taken: [String]) { self.taken = Set(taken.map { $0.uppercased() }) }

  /// For tables: those that every store has besides.
  static let ofTables = SQLNames(taken: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])

  /// For columns of an entity's table: those that every table has besides.
  static let ofColumns = SQLNames(taken: SQLiteDialect.columns.all)

  /// Whether a name is in use.
  func contains(_ name: String) -> Bool { taken.contains(name.uppercased()) }

  /// The name itself, or the name with the first free number behind it.
  mutating func unique(_ name: String) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(candidate.uppercased()).inserted {
      suffix += 1
      candidate = name + String(suffix)
    }
    return candidate
  }
}

extension NSAttributeDescription {
  /// The column type of the attribute's values and the place of such columns in a table, or nil for a value that no
  /// column can hold.
  final var columnKind: (type: SQLColumnType, group: Int)? {
    switch attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      (.integer, 1)
    case .dateAttributeType: (.timestamp, 3)
    case .doubleAttributeType, .floatAttributeType: (.float, 3)
    case .decimalAttributeType: (.decimal, 4)
    case .stringAttributeType, .URIAttributeType: (.varchar, 5)
    case .UUIDAttributeType: (.blob, 6)
    case .transformableAttributeType: (.blob, 7)
    case .binaryDataAttributeType: (.blob, 8)
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
    }
  }
}
