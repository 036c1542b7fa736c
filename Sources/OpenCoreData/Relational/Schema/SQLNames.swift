/// Gives out names that differ from each other: a name that is already in use gets a digit.
package struct SQLNames {
  private var taken: Set<String> = []
  private let ignoresCase: Bool

  /// - Parameters:
  ///   - taken: names that are in use already.
  ///   - ignoresCase: whether names that differ only in case are the same.
  package init(taken: [String] = [], ignoresCase: Bool = true) {
    self.ignoresCase = ignoresCase
    for name in taken { self.taken.insert(form(name)) }
  }

  private func form(_ name: String) -> String { ignoresCase ? name.uppercased() : name }

  /// Whether a name is in use.
  package func contains(_ name: String) -> Bool { taken.contains(form(name)) }

  /// Returns the name itself, or the name followed by the first free number.
  package mutating func unique(_ name: String) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(form(candidate)).inserted {
      suffix += 1
      candidate = name + String(suffix)
    }
    return candidate
  }
}

extension NSAttributeDescription {
  /// The column type of the attribute's values and the place of such columns in a table, or nil for a value that no
  /// column can hold.
  package final var columnKind: (type: SQLColumnType, group: Int)? {
    switch attributeType {
    case .integer16AttributeType: (.integer16, 1)
    case .integer32AttributeType: (.integer32, 1)
    case .integer64AttributeType: (.integer64, 1)
    case .booleanAttributeType: (.boolean, 1)
    case .dateAttributeType: (.timestamp, 3)
    case .doubleAttributeType: (.double, 3)
    case .floatAttributeType: (.float, 3)
    case .decimalAttributeType: (.decimal, 4)
    case .stringAttributeType, .URIAttributeType: (.string, 5)
    case .UUIDAttributeType: (.uuid, 6)
    case .transformableAttributeType: (.data, 7)
    case .binaryDataAttributeType: (.data, 8)
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
    }
  }
}
