import Foundation

/// Finds places for objects that come into a list, section by section.
///
/// All places are places in the list without the removed objects, which is called the base.
struct SectionArrivals {
  private let contents: FetchedContents
  private let removed: [Int]
  private var arrivals: [Arrival] = []
  /// Sections that the base does not have.
  private var groups: [Group] = []
  private var groupsByName: [SectionName: Int] = [:]

  private struct Arrival {
    let object: NSManagedObject
    let base: Int
    /// The order of objects at one place: first objects that end a section, then the objects of new sections, section
    /// by section, then objects that begin a section.
    let rank: Int
    let sequence: Int
    let section: Section
  }

  private enum Section {
    case old(Int)
    case new(Int)
  }

  private struct Group {
    let name: SectionName
    let base: Int
    var count = 0
  }

  init(contents: FetchedContents, removed: [Int]) {
    self.contents = contents
    self.removed = removed
  }

  // MARK: The base

  private var baseCount: Int { contents.objectCount - removed.count }

  private func base(of place: Int) -> Int { place - Bisection.count(of: removed, below: place) }

  private func baseRange(_ section: Int) -> Range<Int> {
    let range = contents.sections.range(section)
    return base(of: range.lowerBound)..<base(of: range.upperBound)
  }

  /// Returns the place in the list of the object at a place of the base.
  private func place(ofBase base: Int) -> Int {
    base + Bisection.first(in: 0..<removed.count) { removed[$0] - $0 > base }
  }

  // MARK: Arriving

  /// Finds the places of objects. The objects before them in the order already have their places.
  mutating func add(_ objects: ArraySlice<NSManagedObject>, _ planner: ResultsPlanner) {
    let isNamed = contents.sections.isNamed
    let named = objects.map { (object: $0, name: isNamed ? planner.name($0) : SectionName("")) }
    var newNames: Set<SectionName> = []
    let searches = named.map { object, name in
      let section = section(name)
      // The first object of a new section finds the place for all.
      let isPlaced = section == nil && (groupsByName[name] != nil || !newNames.insert(name).inserted)
      return FetchedContents.Search(range: isPlaced ? 0..<0 : range(section)) {
        planner.order(object, $0) == .orderedAscending
      }
    }
    let places = contents.places(of: searches, without: removed)
    for ((object, name), place) in zip(named, places) { add(object, name, base(of: place)) }
  }

  /// The section of the base with that name, if objects are in it. Without sections there is one.
  private func section(_ name: SectionName) -> Int? {
    guard let section = contents.sections.section(named: name) else { return nil }
    return contents.sections.isNamed && baseRange(section).isEmpty ? nil : section
  }

  /// The places of a section; all places for no section.
  private func range(_ section: Int?) -> Range<Int> {
    section.map(contents.sections.range) ?? 0..<contents.objectCount
  }

  /// - Parameter base: the object's place in its section or, if the base does not have that section, in the whole base.
  private mutating func add(_ object: NSManagedObject, _ name: SectionName, _ base: Int) {
    if let section = section(name) {
      append(object, base, base == baseRange(section).upperBound ? 0 : .max, .old(section))
    } else if let group = groupsByName[name] {
      append(object, groups[group].base, group + 1, .new(group))
    } else {
      groupsByName[name] = groups.count
      groups.append(Group(name: name, base: boundary(base, object, name)))
      append(object, groups[groups.count - 1].base, groups.count, .new(groups.count - 1))
    }
  }

  private mutating func append(_ object: NSManagedObject, _ base: Int, _ rank: Int, _ section: Section) {
    if case .new(let group) = section { groups[group].count += 1 }
    arrivals.append(Arrival(object: object, base: base, rank: rank, sequence: arrivals.count, section: section))
  }

  /// Returns the place itself or, if a new section at that place would divide a section, the end of that section.
  private func boundary(_ base: Int, _ object: NSManagedObject, _ name: SectionName) -> Int {
    guard base > 0, base < baseCount else { return base }
    let section = contents.sections.section(at: place(ofBase: base - 1))
    let range = baseRange(section)
    guard base < range.upperBound else { return base }
    FrameworkLog.write(
      "error: (NSFetchedResultsController) The object \(object.objectID) has an out of order section name "
        + "'\(name.text). Objects must be sorted by section name'")
    return range.upperBound
  }

  // MARK: The result

  /// Writes the arriving objects and the changes of sections to the edit.
  mutating func finish(_ edit: inout ResultsEdit, oldPlace: (NSManagedObject) -> Int?) {
    arrivals.sort { ($0.base, $0.rank, $0.sequence) < ($1.base, $1.rank, $1.sequence) }
    edit.coming = arrivals.map {
      ResultsEdit.Coming(object: $0.object, base: $0.base, oldPlace: oldPlace($0.object))
    }
    var differences: [Int: Int] = [:]
    for place in removed { differences[contents.sections.section(at: place), default: 0] -= 1 }
    let emptied =
      contents.sections.isNamed
      ? differences.filter { contents.sections.list[$0].count == -$1 }.keys.sorted() : []
    for arrival in arrivals { if case .old(let section) = arrival.section { differences[section, default: 0] += 1 } }
    let kept = placeGroups(emptied, &edit)
    for section in emptied {
      if let count = kept[section] {
        differences[section, default: 0] += count
      } else {
        differences[section] = nil
        edit.deletedSections.append(section)
      }
    }
    edit.sectionDifferences = differences
  }

  /// Records which sections are inserted. A section that all its objects have left, and that other objects have entered,
  /// counts as the same section as long as it is between the same sections.
  /// - Parameter emptied: the sections that all their objects have left, ascending.
  /// - Returns: the sections of these that remain, with the numbers of objects that have entered them.
  private func placeGroups(_ emptied: [Int], _ edit: inout ResultsEdit) -> [Int: Int] {
    var kept: [Int: Int] = [:]
    /// The last old section before the group.
    var last = -1
    let order = groups.indices.sorted { (groups[$0].base, $0) < (groups[$1].base, $1) }
    for (index, number) in order.enumerated() {
      let group = groups[number]
      // The sections on both sides that objects have stayed in.
      let before = group.base > 0 ? contents.sections.section(at: place(ofBase: group.base - 1)) : -1
      let after = group.base < baseCount ? contents.sections.section(at: place(ofBase: group.base)) : Int.max
      last = max(last, before)
      if let old = contents.sections.section(named: group.name), old > last, old < after {
        last = old
        kept[old] = group.count
      } else {
        let place = before + 1 - Bisection.count(of: emptied, below: before + 1) + index
        edit.insertedSections.append(ResultsEdit.NewSection(number: place, name: group.name, count: group.count))
      }
    }
    return kept
  }
}
