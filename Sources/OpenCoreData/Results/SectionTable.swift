/// The sections, and the place in the list of all objects at which each begins.
struct SectionTable {
  private(set) var names: [SectionName]
  /// The place where each section begins, and at the end the number of all objects.
  private(set) var starts: [Int]
  /// Whether the sections come from a key path; otherwise there is exactly one section.
  let isNamed: Bool
  private var places: [SectionName: Int]?

  /// Makes one section with all objects.
  init(count: Int) {
    names = [SectionName("")]
    starts = [0, count]
    isNamed = false
  }

  init(names: [SectionName], counts: some Sequence<Int>) {
    self.names = names
    var sum = 0
    starts = [0]
    starts.reserveCapacity(names.count + 1)
    for count in counts {
      sum += count
      starts.append(sum)
    }
    isNamed = true
  }

  var count: Int { names.count }

  /// The number of objects in all sections.
  var total: Int { starts[names.count] }

  func range(_ section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

  /// Returns the number of the section that has the object at a place.
  func section(at place: Int) -> Int {
    // It is the last section that begins at the place or before. No section is empty, except the one without a key
    // path.
    Bisection.first(in: 0..<names.count) { starts[$0 + 1] > place }
  }

  /// Returns the number of the section with a name.
  mutating func section(named name: SectionName) -> Int? {
    if !isNamed { return 0 }
    if places == nil { places = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first }) }
    return places?[name]
  }
}

/// Binary search.
enum Bisection {
  /// Returns the first place for which `test` holds, or the end of the range. `test` must hold for all places after the
  /// first.
  static func first(in range: Range<Int>, where test: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if test(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns how many numbers of an ascending list are less than `limit`.
  static func count(of list: [Int], below limit: Int) -> Int { first(in: 0..<list.count) { list[$0] >= limit } }
}
