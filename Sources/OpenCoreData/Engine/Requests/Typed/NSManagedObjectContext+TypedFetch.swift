import Foundation
import OpenCocoaFoundation

// Fetches with typed predicates and sort descriptors.
extension NSManagedObjectContext {
  /// Reads the objects of a class for which a typed predicate holds.
  ///
  /// ```swift
  /// let entries = try context.fetch(Entry.self, #Predicate { $0.rating >= 4 }, sortBy: [SortDescriptor(\.words)])
  /// print(entries.map { $0.title ?? "" })  // ["Tuesday", "Wednesday"]
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30). It is ``fetch(_:)`` of the request that `NSFetchRequest(_:_:sortBy:limit:offset:)`
  /// makes; settings that it has no parameters for are made on that.
  /// - Throws: `OCDConversionError` for what a store cannot evaluate; what ``fetch(_:)`` throws.
  public final func fetch<Object: NSManagedObject>(
    _ type: Object.Type, _ predicate: Predicate<Object>? = nil, sortBy: [SortDescriptor<Object>] = [], limit: Int = 0,
    offset: Int = 0
  ) throws -> [Object] {
    try fetch(NSFetchRequest(type, predicate, sortBy: sortBy, limit: limit, offset: offset))
  }

  /// The number of objects of a class for which a typed predicate holds.
  ///
  /// ```swift
  /// print(try context.count(Entry.self, #Predicate { $0.rating >= 4 }))  // 2
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30). See also ``count(for:)``.
  /// - Throws: `OCDConversionError` for what a store cannot evaluate; what ``count(for:)`` throws.
  public final func count<Object: NSManagedObject>(
    _ type: Object.Type, _ predicate: Predicate<Object>? = nil
  ) throws -> Int {
    try count(for: NSFetchRequest(type, predicate))
  }

  /// Reads the IDs of the objects of a class for which a typed predicate holds, without their values.
  ///
  /// ```swift
  /// let ids = try context.fetchIDs(Entry.self, #Predicate { $0.rating >= 4 }, sortBy: [SortDescriptor(\.words)])
  /// print(ids.map { (context.object(with: $0) as? Entry)?.title ?? "" })  // ["Tuesday", "Wednesday"]
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30).
  /// - Throws: `OCDConversionError` for what a store cannot evaluate; what ``fetch(_:)`` throws.
  public final func fetchIDs<Object: NSManagedObject>(
    _ type: Object.Type, _ predicate: Predicate<Object>? = nil, sortBy: [SortDescriptor<Object>] = [], limit: Int = 0,
    offset: Int = 0
  ) throws -> [NSManagedObjectID] {
    let request = try NSFetchRequest(type, predicate, sortBy: sortBy, limit: limit, offset: offset)
    let identifiers = NSFetchRequest<NSManagedObjectID>(objectClass: type)
    identifiers.predicate = request.predicate
    identifiers.sortDescriptors = request.sortDescriptors
    (identifiers.fetchLimit, identifiers.fetchOffset) = (limit, offset)
    identifiers.resultType = .managedObjectIDResultType
    return try fetch(identifiers)
  }
}
