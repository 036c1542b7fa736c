import Foundation

/// Finds places for objects that come into a list, section by section.
///
/// All places are places in the list without the removed objects, which is called the base.
struct SectionArrivals {
  private let contents: FetchedContents
  private let removed: [Int]
  private var sections: SectionTable
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
    sections = contents.sections
  }

  // MARK: The base

  private var baseCount: Int { contents.objects.count - removed.count }

  private func baseStart(_ section: Int) -> Int {
    let start = contents.sections.starts[section]
    return start - Bisection.count(of: removed, below: start)
  }

  private func baseRange(_ section: Int) -> Range<Int> { baseStart(section)..<baseStart(section + 1) }

  private func object(atBase base: Int) -> NSManagedObject { contents.objects[place(ofBase: base)] }

  /// Returns the place in the list of the object at a place of the base.
  private func place(ofBase base: Int) -> Int {
    base + Bisection.first(in: 0..<removed.count) { removed[$0] - $0 > base }
  }

  // MARK: Arriving

  /// Finds the place of an object. The objects before it in the order already have their places.
  mutating func add(_ object: NSManagedObject, _ planner: ResultsPlanner) {
    let name = contents.sections.isNamed ? planner.name(object) : contents.sections.names[0]
    func place(in range: Range<Int>) -> Int {
      Bisection.first(in: range) { planner.order(object, self.object(atBase: $0)) == .orderedAscending }
    }
    if let section = sections.section(named: name), !contents.sections.isNamed || !baseRange(section).isEmpty {
      let range = baseRange(section)
      let base = place(in: range)
      append(object, base, base == range.upperBound ? 0 : .max, .old(section))
    } else if let group = groupsByName[name] {
      append(object, groups[group].base, group + 1, .new(group))
    } else {
      let base = boundary(place(in: 0..<baseCount), object, name)
      groupsByName[name] = groups.count
      groups.append(Group(name: name, base: base))
      append(object, base, groups.count, .new(groups.count - 1))
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

  /// Writes the arriving objects and the new table of sections to the edit.
  mutating func finish(_ edit: inout ResultsEdit, oldPlace: (NSManagedObject) -> Int?) {
    arrivals.sort { ($0.base, $0.rank, $0.sequence) < ($1.base, $1.rank, $1.sequence) }
    edit.coming = arrivals.map {
      ResultsEdit.Coming(object: $0.object, base: $0.base, oldPlace: oldPlace($0.object))
    }
    guard contents.sections.isNamed else {
      edit.sections = SectionTable(count: baseCount + arrivals.count)
      return
    }
    var gains: [Int: Int] = [:]
    for arrival in arrivals { if case .old(let section) = arrival.section { gains[section, default: 0] += 1 } }
    var rows: [Row] = []
    rows.reserveCapacity(contents.sections.count + groups.count)
    let order = groups.indices.sorted { (groups[$0].base, $0) < (groups[$1].base, $1) }
    var next = 0
    func addGroups(upTo base: Int) {
      while next < order.count, groups[order[next]].base <= base {
        let group = groups[order[next]]
        rows.append(Row(name: group.name, count: group.count, old: sections.section(named: group.name), isSure: false))
        next += 1
      }
    }
    var start = 0
    for section in 0..<contents.sections.count {
      let end = baseStart(section + 1)
      defer { start = end }
      if end == start { continue }
      addGroups(upTo: start)
      let count = end - start + (gains[section] ?? 0)
      rows.append(Row(name: contents.sections.names[section], count: count, old: section, isSure: true))
    }
    addGroups(upTo: .max)
    edit.sections = SectionTable(names: rows.map(\.name), counts: rows.map(\.count))
    note(rows, &edit)
  }

  private struct Row {
    let name: SectionName
    let count: Int
    /// The number of the section with that name before the edit.
    let old: Int?
    /// Whether objects have stayed in the section, so that it is certainly the same section.
    let isSure: Bool
  }

  /// Records which sections were inserted and deleted. A section that all its objects have left, and that other objects
  /// have entered, counts as the same section as long as it is between the same sections.
  private func note(_ rows: [Row], _ edit: inout ResultsEdit) {
    var limits = [Int](repeating: .max, count: rows.count)
    var limit = Int.max
    for index in rows.indices.reversed() {
      limits[index] = limit
      if rows[index].isSure, let old = rows[index].old { limit = old }
    }
    var last = -1
    var kept: Set<Int> = []
    for (index, row) in rows.enumerated() {
      if let old = row.old, row.isSure || old > last && old < limits[index] {
        last = old
        kept.insert(old)
      } else {
        edit.insertedSections.append(index)
      }
    }
    edit.deletedSections = (0..<contents.sections.count).filter { !kept.contains($0) }
  }
}
