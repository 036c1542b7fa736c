import Foundation

/// Migrates persistent history, which names rows by the numbers of their entities, and properties by bits. Both change with
/// the model. The history of entities that no longer exist is removed.
struct HistoryMigration {
  private let versions: StoreVersions
  private let bits: HistoryBitMigration

  init(_ versions: StoreVersions) {
    self.versions = versions
    bits = HistoryBitMigration(versions)
  }

  /// The name of an SQL function with the arguments `(number, bitmap)`. Its result is the bitmap with the bits of the new
  /// version.
  static let functionName = "NSCoreDataMigratedColumns"

  var function: SQLFunction {
    let bits = bits
    return SQLFunction(name: Self.functionName, argumentCount: 2) { arguments in
      guard case .blob(let bitmap) = arguments.value(1) else { return .null }
      return .blob(bits.bitmap(of: bitmap, number: Int(arguments.integer(0))))
    }
  }

  /// Returns the steps of the migration; none if the store has no history, or if nothing in it changes.
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
        !bits.changes(number) ? nil : "\(Self.functionName)(ZENTITY, ZCOLUMNS)"
      },
    ].compactMap { $0 }
    sets += tombstones.sorted { $0.key < $1.key }.compactMap { column, values in
      choice(column) { number, _ in values[number] }
    }
    if !sets.isEmpty { add(.sql("UPDATE ACHANGE SET \(sets.joined(separator: ", "))")) }
    return result
  }

  /// Returns the columns for values of deleted objects that are missing, and the new values of such columns, by column and
  /// old entity number.
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
    // A column that is neither in the old file nor added has no values to move.
    values = values.filter { versions.contents.hasColumn($0.key, in: "ACHANGE") || missing.contains($0.key) }
    return (missing, values)
  }
}
