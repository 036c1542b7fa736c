import CommandSupport
import Foundation
import OpenCoreData

extension StoreQuery {
  /// A query of what was typed.
  /// - Parameter sort: Key paths separated by commas, with a minus before those to sort by the other way round.
  /// - Throws: a ``ToolError`` for a predicate that cannot be read.
  init(entity: String, predicate: String?, sort: String?, in store: any QueriedStore) throws {
    self.init(entity: entity)
    if let predicate {
      let parsed: NSPredicate
      do {
        parsed = try NSPredicate(parsing: predicate)
      } catch {
        throw ToolError("The predicate cannot be read. \(error)")
      }
      self.predicate = try PredicateConstants(store).converted(parsed, of: entity)
    }
    sortDescriptors = (sort.map(Self.list) ?? []).map { key in
      let isDescending = key.hasPrefix("-")
      return NSSortDescriptor(key: isDescending ? String(key.dropFirst()) : key, ascending: !isDescending)
    }
  }

  /// What commas separate.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
