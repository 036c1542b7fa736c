import Foundation

/// Translates the bits of history that tell which properties a change has touched: a new version of an entity has other
/// bits.
package struct HistoryBitMigration: Sendable {
  /// The entities whose bits change, by their old number: the number of new bits, and for each old bit the new ones.
  private let bits: [Int: (count: Int, bits: [[Int]])]

  package init(_ versions: StoreVersions) {
    var bits: [Int: (count: Int, bits: [[Int]])] = [:]
    for (number, successor) in versions.successors {
      guard let before = versions.old.entity(number: number), let change = versions.migrations[successor.entity.number]
      else { continue }
      let old = HistoryBitmapLayout(before.entity), new = HistoryBitmapLayout(successor.entity.entity)
      var names: [String: String] = [:]
      for attribute in change.attributes { attribute.source.map { names[$0.name] = attribute.destination.name } }
      for relationship in change.relationships {
        relationship.source.map { names[$0.name] = relationship.destination.name }
      }
      let map = old.properties.map { property in
        new.properties.indices.filter { new.properties[$0].name == names[property.name] }
      }
      if new.properties.count == map.count, map.enumerated().allSatisfy({ $1.contains($0) }) { continue }
      bits[number] = (new.properties.count, map)
    }
    self.bits = bits
  }

  /// The old numbers of the entities whose bits change.
  package var numbers: [Int] { bits.keys.sorted() }

  /// Whether the bits of an old entity change.
  package func changes(_ number: Int) -> Bool { bits[number] != nil }

  /// Returns a bitmap of an old entity in the bits of the new version.
  package func bitmap(of bitmap: Data, number: Int) -> Data {
    guard let (count, map) = bits[number] else { return bitmap }
    var result = Data(count: (count + 7) / 8)
    for (bit, targets) in map.enumerated() where bit / 8 < bitmap.count {
      guard bitmap[bitmap.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 else { continue }
      for target in targets { result[target / 8] |= 0x80 >> UInt8(target % 8) }
    }
    return result
  }
}
