import CommandSupport
import Foundation
import OpenCocoaFoundation
import OpenCoreData

extension StoreQuery {
  /// Makes a query from typed texts.
  /// - Parameter sort: Key paths separated by commas, with a minus before those to sort in descending order.
  /// - Throws: a ``ToolError`` for a predicate that cannot be read.
  package init(entity: String, predicate: String?, sort: String?, in store: any QueriedStore) throws {
    self.init(entity: entity)
    if let predicate {
      let parsed: NSPredicate
      do {
        parsed = try NSPredicate(parsing: predicate)
      } catch {
        throw ToolError("The predicate cannot be read. \(error)")
      }
      do {
        self.predicate = try PredicateConstants(store).converted(parsed, of: entity)
      } catch let mistake as PredicateConstants.Mistake {
        throw ToolError("The predicate cannot be used: \(mistake.message)")
      }
    }
    sortDescriptors = (sort.map(Self.list) ?? []).map { key in
      let isDescending = key.hasPrefix("-")
      return NSSortDescriptor(key: isDescending ? String(key.dropFirst()) : key, ascending: !isDescending)
    }
  }

  /// Returns the parts of a text between commas.
  package static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Makes a predicate from a typed text.
  /// - Throws: a ``PredicateMistake`` for a predicate that cannot be read, or with texts that cannot be converted to the types
  ///   that they are compared with.
  package static func predicate(_ text: String, of entity: String, in store: any QueriedStore) throws -> NSPredicate {
    do {
      return try PredicateConstants(store).converted(NSPredicate(parsing: text), of: entity)
    } catch let error as OCDPredicateFormatError {
      throw PredicateMistake(error)
    } catch let mistake as PredicateConstants.Mistake {
      let place = text.range(of: "\"\(mistake.constant)\"") ?? text.range(of: "'\(mistake.constant)'")
      let offset = place.map { text.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
      throw PredicateMistake(
        mistake.message, in: text, at: offset, length: place == nil ? 0 : mistake.constant.count + 2)
    }
  }
}
