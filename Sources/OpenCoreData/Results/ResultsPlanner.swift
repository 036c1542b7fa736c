import Foundation
import OpenCocoaFoundation

/// Computes the edit that an event makes to a list of objects.
///
/// The work grows with the number of touched objects, and with the logarithm of the list's length: the other objects
/// keep their order, and only the objects that a binary search meets are compared.
struct ResultsPlanner {
  let contents: FetchedContents
  let order: [NSSortDescriptor]
  /// The name of an object's section as it is now.
  let name: (NSManagedObject) -> SectionName

  /// An object of the list that the event has touched, and whether it still belongs there.
  struct Candidate {
    let object: NSManagedObject
    let place: Int
    let remains: Bool
  }

  /// - Parameters:
  ///   - candidates: the objects of the list that the event has touched, sorted by place.
  ///   - new: objects that belong to the list from now on.
  func plan(_ candidates: [Candidate], new: [NSManagedObject]) -> ResultsEdit {
    var edit = ResultsEdit()
    var moved: [ResultsEdit.Touched] = []
    defer { contents.endSearches() }
    let runs = runs(candidates)
    contents.readAhead(runs.flatMap(neighbours))
    for run in runs {
      let staying = staying(run)
      for (number, candidate) in run.enumerated() {
        let touched = ResultsEdit.Touched(object: candidate.object, place: candidate.place)
        if staying.contains(number) {
          edit.updated.append(touched)
          continue
        }
        edit.removed.append(candidate.place)
        if candidate.remains { moved.append(touched) } else { edit.deleted.append(touched) }
      }
    }
    guard !edit.removed.isEmpty || !new.isEmpty else { return edit }
    let oldPlaces = Dictionary(
      moved.map { (ObjectIdentifier($0.object), $0.place) }, uniquingKeysWith: { first, _ in first })
    let coming = moved.map(\.object) + new
    let sorted: [NSManagedObject]
    do {
      sorted = try coming.checkedSorted(by: order)
    } catch {
      FetchedResults.log(error)
      sorted = coming
    }
    var arrivals = SectionArrivals(contents: contents, removed: edit.removed)
    // In parts, so that what is read ahead stays small.
    for start in stride(from: 0, to: sorted.count, by: 256) {
      arrivals.add(sorted[start..<min(start + 256, sorted.count)], self)
    }
    arrivals.finish(&edit) { oldPlaces[ObjectIdentifier($0)] }
    return edit
  }

  // MARK: Objects that stay

  /// Returns the touched objects in groups that stand side by side.
  private func runs(_ candidates: [Candidate]) -> [ArraySlice<Candidate>] {
    var result: [ArraySlice<Candidate>] = []
    var start = 0
    for index in candidates.indices where index > 0 && candidates[index].place != candidates[index - 1].place + 1 {
      result.append(candidates[start..<index])
      start = index
    }
    if !candidates.isEmpty { result.append(candidates[start...]) }
    return result
  }

  /// Returns the places beside a run.
  private func neighbours(_ run: ArraySlice<Candidate>) -> [Int] {
    guard let first = run.first, let last = run.last else { return [] }
    return [first.place - 1, last.place + 1].filter { $0 >= 0 && $0 < contents.objectCount }
  }

  /// Returns the largest set of objects of a run that need not move relative to each other, by their numbers in the
  /// run.
  private func staying(_ run: ArraySlice<Candidate>) -> Set<Int> {
    guard let first = run.first, let last = run.last else { return [] }
    let before = first.place > 0 ? contents.asked(first.place - 1) : nil
    let after = last.place + 1 < contents.objectCount ? contents.asked(last.place + 1) : nil
    var fitting: [(number: Int, object: NSManagedObject)] = []
    for (number, candidate) in run.enumerated() where candidate.remains {
      let object = candidate.object
      if contents.sections.isNamed,
        name(object) != contents.sections.name(contents.sections.section(at: candidate.place))
      {
        continue
      }
      if let before, order(before, object) == .orderedDescending { continue }
      if let after, order(object, after) == .orderedDescending { continue }
      fitting.append((number, object))
    }
    return longestAscent(fitting)
  }

  /// Returns the longest part of the objects that is in order; if there are several, the part with the first objects.
  private func longestAscent(_ objects: [(number: Int, object: NSManagedObject)]) -> Set<Int> {
    let isOrdered = objects.indices.dropFirst().allSatisfy {
      order(objects[$0 - 1].object, objects[$0].object) != .orderedDescending
    }
    if isOrdered { return Set(objects.map(\.number)) }
    // The search goes from the end: `heads[n]` begins the best ascent of n + 1 objects so far, which is the ascent with
    // the greatest first object.
    var heads: [Int] = []
    var following = [Int?](repeating: nil, count: objects.count)
    for index in objects.indices.reversed() {
      let length = Bisection.first(in: 0..<heads.count) {
        order(objects[index].object, objects[heads[$0]].object) == .orderedDescending
      }
      following[index] = length > 0 ? heads[length - 1] : nil
      if length == heads.count { heads.append(index) } else { heads[length] = index }
    }
    var result: Set<Int> = []
    var next = heads.last
    while let index = next {
      result.insert(objects[index].number)
      next = following[index]
    }
    return result
  }

  /// Compares two objects by all sort descriptors.
  func order(_ left: NSManagedObject, _ right: NSManagedObject) -> ComparisonResult {
    for descriptor in order {
      // Objects that cannot be compared stay in the order in which they come. Sorting the result has logged the reason.
      let result = (try? descriptor.checkedCompare(left, to: right)) ?? .orderedSame
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}
