import Foundation

/// Persistent history tells of rows by the numbers of their entities, and of properties by bits: both change with the
/// model. What it tells of entities that are no more is removed.
struct HistoryMigration {
  private let versions: StoreVersions
  /// Where history has other bits than before: by the old number, for each old bit the new ones.
  private let bits: [Int: (count: Int, bits: [[Int]])]

  init(_ versions: StoreVersions) {
    self.versions = versions
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

  /// `(number, bitmap)`: the bitmap by the bits of the new version.
  static let functionName = "NSCoreDataMigratedColumns"

  var function: SQLFunction {
    let bits = bits
    return SQLFunction(name: Self.functionName, argumentCount: 2) { arguments in
      guard case .blob(let bitmap) = arguments.value(1) else { return .null }
      guard let (count, map) = bits[Int(arguments.integer(0))] else { return .blob(bitmap) }
      var result = Data(count: (count + 7) / 8)
      for (bit, targets) in map.enumerated() where bit / 8 < bitmap.count {
        guard bitmap[bitmap.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 else { continue }
        for target in targets { result[target / 8] |= 0x80 >> UInt8(target % 8) }
      }
      return .blob(result)
    }
  }

  /// The statements; none where there is no history, or nothing of it changes.
  func steps() -> [MigrationPlan.Step] {
    guard versions.contents.hasTable("ACHANGE") else { return [] }
    var result: [MigrationPlan.Step] = []
    func add(_ action: MigrationPlan.Action) { result.append(MigrationPlan.Step(action, subject: "ACHANGE")) }
    let removed = versions.old.entities.filter { versions.successors[$0.number] == nil && !$0.entity.isAbstract }
    if !removed.isEmpty {
      add(.sql("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.map { "\($0.number)" }.joined(separator: ", ")))"))
    }
    let moved = versions.successors.sorted { $0.key < $1.key }
    func choice(_ column: String, _ value: (Int, StoreVersions.Successor) -> String?) -> String? {
      let cases = moved.compactMap { number, successor in value(number, successor).map { "WHEN \(number) THEN \($0)" } }
      return cases.isEmpty ? nil : "\(column) = CASE ZENTITY \(cases.joined(separator: " ")) ELSE \(column) END"
    }
    let (missing, tombstones) = tombstones()
    for column in missing {
      add(.alteration(.addColumn(SQLColumnDefinition(column, .data), table: "ACHANGE")))
    }
    var sets = [
      choice("ZENTITY") { $0 == $1.entity.number ? nil : "\($1.entity.number)" },
      choice("ZENTITYPK") { $1.offset == 0 ? nil : "ZENTITYPK + \($1.offset)" },
      choice("ZCOLUMNS") { number, _ in
        bits[number].map { _ in "\(Self.functionName)(ZENTITY, ZCOLUMNS)" }
      },
    ].compactMap { $0 }
    sets += tombstones.sorted { $0.key < $1.key }.compactMap { column, values in
      choice(column) { number, _ in values[number] }
    }
    if !sets.isEmpty { add(.sql("UPDATE ACHANGE SET \(sets.joined(separator: ", "))")) }
    return result
  }

  /// The columns for values of deleted objects that are missing, and by column and old number what others are to have.
  private func tombstones() -> (missing: [String], values: [String: [Int: String]]) {
    func column(_ place: Int) -> String { "ZTOMBSTONE\(place)" }
    var needed = 0
    var values: [String: [Int: String]] = [:]
    for (number, successor) in versions.successors {
      guard let before = versions.old.entity(number: number), let change = versions.migrations[successor.entity.number]
      else { continue }
      let old = HistoryLayout(before).preserved, new = HistoryLayout(successor.entity).preserved
      needed = max(needed, new.count)
      for place in 0..<max(old.count, new.count) {
        let source =
          place < new.count ? change.attributes.first { $0.destination.name == new[place].keyPath }?.source : nil
        let origin = source.flatMap { source in old.firstIndex { $0.keyPath == source.name } }
        if origin == place { continue }
        let known = origin.flatMap { versions.contents.hasColumn(column($0), in: "ACHANGE") ? column($0) : nil }
        values[column(place), default: [:]][number] = known ?? "NULL"
      }
    }
    let missing = (0..<needed).map(column).filter { !versions.contents.hasColumn($0, in: "ACHANGE") }
    // A column that the old file lacks has no values to move.
    values = values.filter { versions.contents.hasColumn($0.key, in: "ACHANGE") || missing.contains($0.key) }
    return (missing, values)
  }
}
