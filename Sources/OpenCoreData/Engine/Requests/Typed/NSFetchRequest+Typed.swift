import Foundation
import OpenCocoaFoundation

extension NSFetchRequest where ResultType: NSManagedObject {
  /// Makes a request for the objects of a class, with a typed predicate and typed sort descriptors.
  ///
  /// Properties are checked by the compiler, and constants need no format. Give the request to a fetch, a results controller or a
  /// batch delete, as any other.
  ///
  /// ```swift
  /// let request = try NSFetchRequest(
  ///   Entry.self, #Predicate { $0.rating >= 4 && $0.title != nil }, sortBy: [SortDescriptor(\.words, order: .reverse)])
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday", "Tuesday"]
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30).
  /// - Parameters:
  ///   - type: the class; objects of its subclasses are found, too.
  ///   - predicate: what must hold; nil for all objects.
  ///   - sortBy: the order; if it is empty, there is none that can be relied on.
  ///   - limit: the greatest number of objects; 0 for any number.
  ///   - offset: how many of the first objects are left out.
  /// - Throws: `OCDConversionError` with the part of the predicate or the descriptors that a store cannot evaluate.
  public convenience init(
    _ type: ResultType.Type = ResultType.self, _ predicate: Predicate<ResultType>? = nil,
    sortBy: [SortDescriptor<ResultType>] = [], limit: Int = 0, offset: Int = 0
  ) throws {
    let converted = try predicate.map { predicate in
      try ConversionLog.noting(ResultType.self) { try NSPredicate(converting: predicate) }
    }
    let descriptors = try ConversionLog.noting(ResultType.self) {
      try sortBy.map { try NSSortDescriptor(converting: $0) }
    }
    self.init(objectClass: type)
    self.predicate = converted
    sortDescriptors = descriptors.isEmpty ? nil : descriptors
    fetchLimit = limit
    fetchOffset = offset
  }
}
