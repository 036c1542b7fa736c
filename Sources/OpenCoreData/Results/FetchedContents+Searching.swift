import Foundation

// Binary searches. Those of one change read together what they are going to meet: in pages, each step of a search alone
// would be a statement that reads one row.
extension FetchedContents {
  /// A search for the first object of a range that passes a test. All objects after the first have to pass it, too.
  struct Search {
    /// The places that are left.
    var range: Range<Int>
    let test: (NSManagedObject) -> Bool
  }

  /// A step of a search.
  private struct Step {
    let middle: Int
    /// The first place from the middle on that counts; nil if there is none.
    let place: Int?
  }

  /// - Parameter removed: places that do not count, ascending.
  private func step(_ range: Range<Int>, without removed: [Int]) -> Step {
    let middle = pages?.middle(of: range) ?? held.middle(of: range)
    let place = Bisection.firstNumber(in: middle..<range.upperBound, notIn: removed)
    return Step(middle: middle, place: place == range.upperBound ? nil : place)
  }

  /// Returns the first place of a range whose object passes a test, or the end of the range, by binary search. All objects
  /// after the first have to pass it, too.
  /// - Parameter removed: places that do not count, ascending.
  func first(in range: Range<Int>, without removed: [Int], where test: (NSManagedObject) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let step = step(low..<high, without: removed)
      if let place = step.place, !test(asked(place)) { low = place + 1 } else { high = step.middle }
    }
    return low
  }

  /// Returns the place that each search finds; see ``first(in:without:where:)``.
  ///
  /// In pages few statements read what the searches meet: the objects of the next steps are read together for all
  /// searches, and then those of the steps after them.
  func places(of searches: [Search], without removed: [Int]) -> [Int] {
    guard isPaged else { return searches.map { first(in: $0.range, without: removed, where: $0.test) } }
    var searches = searches
    while true {
      for index in searches.indices { advance(&searches[index], without: removed) }
      let open = searches.filter { !$0.range.isEmpty }
      if open.isEmpty { return searches.map(\.range.lowerBound) }
      pages?.read(placesAhead(of: open, without: removed))
    }
  }

  /// Makes the objects of places that are not in memory, so that few statements read them.
  func readAhead(_ places: [Int]) {
    guard isPaged else { return }
    let missing = places.filter { pages?.atHand($0) == nil }
    // An object that is alone is made when it is asked for.
    if missing.count > 1 { pages?.read(missing) }
  }

  /// Releases what was made ahead.
  func endSearches() { pages?.endSearches() }

  /// Takes the steps of a search whose objects are at hand.
  private func advance(_ search: inout Search, without removed: [Int]) {
    while !search.range.isEmpty {
      let step = step(search.range, without: removed)
      guard let place = step.place else {
        search.range = search.range.lowerBound..<step.middle
        continue
      }
      guard let object = pages?.met(at: place) else { return }
      search.range =
        search.test(object) ? search.range.lowerBound..<step.middle : place + 1..<search.range.upperBound
    }
  }

  /// Returns the places, ascending, whose objects the next steps of searches may meet, and that are not at hand: those of
  /// four steps, or fewer if these are more than a statement reads.
  ///
  /// Four steps of one search meet four of 15 objects; read one by one, they would be four statements.
  private func placesAhead(of searches: [Search], without removed: [Int]) -> [Int] {
    var ranges = Set(searches.map(\.range))
    var result: Set<Int> = []
    for _ in 0..<4 {
      var places: Set<Int> = []
      var parts: Set<Range<Int>> = []
      for range in ranges where !range.isEmpty {
        let step = step(range, without: removed)
        parts.insert(range.lowerBound..<step.middle)
        guard let place = step.place else { continue }
        parts.insert(place + 1..<range.upperBound)
        if pages?.atHand(place) == nil { places.insert(place) }
      }
      if !result.isEmpty, result.count + places.count > Self.rowsOfStatement { break }
      result.formUnion(places)
      ranges = parts
    }
    return result.sorted()
  }

  /// The number of rows that one statement reads by their keys.
  private static let rowsOfStatement = 256
}
