import Foundation
import OpenCocoaFoundation

// The places of pending objects among the objects that the stores have sorted.
extension FetchRun {
  /// Inserts objects into a sorted list, each after the objects that are equal to it.
  func merge(
    _ matches: ContiguousArray<NSManagedObject>, into objects: inout ContiguousArray<NSManagedObject>,
    _ order: [NSSortDescriptor]
  ) throws {
    // Pending changes of related objects may change the order of objects that have no change themselves.
    guard !order.isEmpty, order.allSatisfy({ $0.key.map { !$0.contains(".") } ?? false }) else {
      objects.append(contentsOf: matches)
      if !order.isEmpty { try sort(&objects, order) }
      return
    }
    if matches.isEmpty { return }
    var sorted = matches
    try sort(&sorted, order)
    var places = [Int](repeating: 0, count: sorted.count)
    try SQLLoweringError.evaluating {
      try Self.find(&places, of: sorted, sorted.indices, in: objects, objects.indices, order)
    }
    var merged: ContiguousArray<NSManagedObject> = []
    merged.reserveCapacity(objects.count + sorted.count)
    var start = 0
    for (match, end) in zip(sorted, places) {
      merged.append(contentsOf: objects[start..<end])
      merged.append(match)
      start = end
    }
    merged.append(contentsOf: objects[start...])
    objects = merged
  }

  /// Finds, for each of the matches, the place of the first object that comes after it. The match in the middle divides
  /// both lists, so that few objects are asked for their values even if there are many matches.
  private static func find(
    _ places: inout [Int], of matches: ContiguousArray<NSManagedObject>, _ some: Range<Int>,
    in objects: ContiguousArray<NSManagedObject>, _ range: Range<Int>, _ order: [NSSortDescriptor]
  ) throws {
    guard !some.isEmpty else { return }
    let middle = some.lowerBound + some.count / 2
    let place = try place(of: matches[middle], in: objects[range], order)
    places[middle] = place
    try find(&places, of: matches, some.lowerBound..<middle, in: objects, range.lowerBound..<place, order)
    try find(&places, of: matches, middle + 1..<some.upperBound, in: objects, place..<range.upperBound, order)
  }

  /// The place of the first object that comes after `object`; few objects are asked for their values.
  private static func place(
    of object: NSManagedObject, in objects: ContiguousArray<NSManagedObject>.SubSequence, _ order: [NSSortDescriptor]
  ) throws -> Int {
    let own = try SortedPlace(of: object, by: order)
    var (low, high) = (objects.startIndex, objects.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      let isBefore =
        try own?.isBefore(objects[middle]) ?? (Self.order(objects[middle], object, order) == .orderedDescending)
      if isBefore { high = middle } else { low = middle + 1 }
    }
    return low
  }

  func sort(_ objects: inout ContiguousArray<NSManagedObject>, _ order: [NSSortDescriptor]) throws {
    objects = ContiguousArray(try SQLLoweringError.evaluating { try Array(objects).checkedSorted(by: order) })
  }

  private static func order(
    _ left: NSManagedObject, _ right: NSManagedObject, _ order: [NSSortDescriptor]
  ) throws -> ComparisonResult {
    for descriptor in order {
      let result = try descriptor.checkedCompare(left, to: right)
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}
