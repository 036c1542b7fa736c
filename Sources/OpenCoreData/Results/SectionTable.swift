/// The sections of a list, and the place in the list of all objects at which each begins.
///
/// A section is found by a place, by its number or by its name, inserted, removed and counted in O(log n) of the number
/// of sections.
struct SectionTable {
  /// The sections, with the number of objects as their extents. Snapshots share this list.
  private(set) var list: ChunkedList<CountedSection<String>>
  /// Whether the sections come from a key path; otherwise there is exactly one section.
  let isNamed: Bool
  /// The chunk of each section in `list`; nil until a section is looked up by its name.
  private var chunks: [SectionName: Int]?

  /// Makes one section with all objects.
  init(count: Int) {
    list = CountedSection.list([CountedSection(identifier: "", count: count)])
    isNamed = false
  }

  init(names: [SectionName], counts: some Sequence<Int>) {
    list = CountedSection.list(zip(names, counts).map { CountedSection(identifier: $0.text, count: $1) })
    isNamed = true
  }

  var count: Int { list.count }

  /// The number of objects in all sections.
  var total: Int { list.totalExtent }

  /// The names of all sections, in a new array.
  var names: [SectionName] { list.array.map { SectionName($0.identifier) } }

  func name(_ section: Int) -> SectionName { SectionName(list[section].identifier) }

  func start(_ section: Int) -> Int { list.extent(before: section) }

  func range(_ section: Int) -> Range<Int> {
    let start = start(section)
    return start..<start + list[section].count
  }

  /// Returns the places of a section; nil if there is no such section. It changes nothing: as a method that may, it is called
  /// with the table where it is, and not with a copy, whose references would be counted.
  mutating func rangeInPlace(_ section: Int) -> Range<Int>? {
    section >= 0 && section < list.count ? range(section) : nil
  }

  /// Returns the number of the section that has the object at a place.
  func section(at place: Int) -> Int {
    // No section is empty, except the one without a key path, which has no places.
    list.place(atExtent: place)
  }

  /// Returns the number of the section with a name.
  mutating func section(named name: SectionName) -> Int? {
    if !isNamed { return 0 }
    if chunks == nil { noteChunks() }
    guard let chunk = chunks?[name] else { return nil }
    let offset = list.elements(ofChunk: chunk).firstIndex { SectionName($0.identifier) == name }
    return offset.map { list.start(ofChunk: chunk) + $0 }
  }

  /// The same sections. Only one of the two keeps the chunks of names.
  func copy() -> SectionTable {
    var copy = self
    copy.chunks = nil
    return copy
  }

  // MARK: Changing

  /// Applies the changes of sections of an edit.
  mutating func apply(_ edit: ResultsEdit) {
    for (section, difference) in edit.sectionDifferences where difference != 0 {
      let old = list[section]
      list.replace(at: section, with: CountedSection(identifier: old.identifier, count: old.count + difference))
    }
    for section in edit.deletedSections.reversed() {
      let (element, relocation) = list.remove(at: section)
      chunks?[SectionName(element.identifier)] = nil
      note(relocation)
    }
    for new in edit.insertedSections {
      note(list.insert(CountedSection(identifier: new.name.text, count: new.count), at: new.number))
      if chunks != nil { chunks?[new.name] = list.chunk(at: new.number) }
    }
  }

  private mutating func noteChunks() {
    var noted: [SectionName: Int] = [:]
    noted.reserveCapacity(list.count)
    for chunk in list.chunks {
      for section in chunk.elements { noted[SectionName(section.identifier)] = chunk.number }
    }
    chunks = noted
  }

  private mutating func note(_ relocation: ChunkedList<CountedSection<String>>.Relocation?) {
    guard chunks != nil, let relocation else { return }
    for section in list.elements(ofChunk: relocation.chunk)[relocation.offsets] {
      chunks?[SectionName(section.identifier)] = relocation.chunk
    }
  }
}

/// A section, and the number of objects in it.
struct CountedSection<Identifier> {
  let identifier: Identifier
  var count: Int

  /// Makes a list of sections whose extents are the numbers of objects.
  static func list(_ sections: [CountedSection]) -> ChunkedList<CountedSection> where Identifier: Sendable {
    ChunkedList(sections, capacity: 128) { $0.count }
  }
}

extension CountedSection: Sendable where Identifier: Sendable {}
extension CountedSection: Equatable where Identifier: Equatable {}
