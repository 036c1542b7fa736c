import Foundation

/// Compares the objects of two stores of one model, whatever kinds of stores they are: keys, values to the bit, members of
/// relationships and their order.
package final class StoreComparison {
  private let one: StoreObjectReader, other: StoreObjectReader
  /// The number of objects that were found equal, by the name of the entity.
  package private(set) var counts: [String: Int] = [:]
  private static let batchSize = 2000

  package init(_ one: StoreObjectReader, _ other: StoreObjectReader) { (self.one, self.other) = (one, other) }

  /// - Returns: the first difference in words; nil if there is none.
  /// - Throws: the errors of reading; 3072 after a cancellation.
  package func run(progress: Progress? = nil) throws -> String? {
    let keys = try one.layouts.map { try ($0, one.keys(of: $0)) }
    progress?.totalUnitCount = Int64(keys.reduce(0) { $0 + $1.1.count })
    for (layout, keys) in keys {
      guard let twin = other.layouts.first(where: { $0.name == layout.name }) else {
        return "the second store does not hold \(layout.name)"
      }
      let others = try other.keys(of: twin)
      if keys != others {
        return keys.count == others.count
          ? "the objects of \(layout.name) have other keys"
          : "there are \(keys.count) objects of \(layout.name) in the one and \(others.count) in the other"
      }
      var difference: String?
      try StoreObjectReader.inBatches(of: Self.batchSize, keys, progress) { batch in
        if difference == nil { difference = try compare(batch, layout, twin) }
      }
      if let difference { return difference }
      counts[layout.name] = keys.count
    }
    return nil
  }

  private func compare(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ twin: EntityLayout
  ) throws -> String? {
    let rows = try one.rows(keys, layout), others = try other.rows(keys, twin)
    guard rows.count == others.count else { return "rows of \(layout.name) cannot be read" }
    for slot in layout.slots where !slot.isTransient && slot.kind != .composite {
      guard let second = twin.slot(named: slot.name) else { return "\(layout.name) has no \(slot.name)" }
      if slot.kind == .toMany {
        let members = try one.members(of: keys, slot, layout), found = try other.members(of: keys, second, twin)
        for key in keys where !isSame(members[key], found[key], isOrdered: slot.relationship.isOrdered) {
          return "\(layout.name)/p\(key) has other members in \(slot.name)"
        }
        continue
      }
      for (row, found) in zip(rows, others) where try !isSame(row, slot, found, second) {
        return "\(layout.name)/p\(row.primaryKey) has another value of \(slot.name)"
      }
    }
    return nil
  }

  private func isSame(_ one: KeyArray?, _ other: KeyArray?, isOrdered: Bool) -> Bool {
    let (one, other) = (one?.keys ?? [], other?.keys ?? [])
    return isOrdered ? Array(one) == Array(other) : one.sorted() == other.sorted()
  }

  private func isSame(_ row: Snapshot, _ slot: PropertySlot, _ found: Snapshot, _ second: PropertySlot) throws -> Bool {
    let values = try (Self.value(row, slot), Self.value(found, second))
    if slot.kind == .toOne {
      guard !row.isNull(slot.index), !found.isNull(second.index) else {
        return row.isNull(slot.index) == found.isNull(second.index)
      }
      return row.int(slot.index) == found.int(second.index)
        && one.destination(slot, row)?.name == other.destination(second, found)?.name
    }
    switch values {
    case (.double(let one), .double(let other)): return one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
    case (.int(let one), .int(let other)): return one == other
    case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
    case (.data(let one), .data(let other)): return one == other
    case (.uuid(let one), .uuid(let other)): return one == other
    case (.decimal(let one), .decimal(let other)): return one == other || one.isNaN && other.isNaN
    case (.transformed(let one), .transformed(let other)): return one.bytes == other.bytes
    case (.null, .null), (.unset, .unset), (.null, .unset), (.unset, .null): return true
    default: return false
    }
  }

  private static func value(_ row: Snapshot, _ slot: PropertySlot) throws -> StoredValue {
    if let value = row.unread(slot.index) { return .data(try value.read().data) }
    return StoredValue.read(slot, from: row)
  }
}
