import Foundation

// The sections that the controller has given out.
extension FetchedResults {
  var sections: [any NSFetchedResultsSectionInfo]? {
    if let knownSections { return knownSections }
    guard let contents else { return nil }
    let made = contents.sections.list.array.map { FetchedSection($0, of: contents, self) }
    knownSections = made
    return made
  }

  /// Called before an edit is applied to the contents. Sections that change were perhaps given out; these stay as they
  /// are, and others take their places in the list of sections.
  func changeSections(_ edit: ResultsEdit) {
    guard var known = knownSections, let contents else { return }
    // The only reference to the array is taken out, so that it is changed in place.
    knownSections = nil
    let copy = contents.copy()
    /// Gives a section the contents that it has been made for.
    func keep(_ number: Int) {
      (known[number] as? FetchedSection)?.keep(copy, contents.sections.range(number))
    }
    if edit.deletedSections.count + edit.insertedSections.count > 16 {
      // Of that many changes the list is made anew when it is asked for.
      known.indices.forEach(keep)
      return
    }
    edit.deletedSections.forEach(keep)
    for (number, difference) in edit.sectionDifferences {
      keep(number)
      let old = contents.sections.list[number]
      known[number] = FetchedSection(
        CountedSection(identifier: old.identifier, count: old.count + difference), of: contents, self)
    }
    for number in edit.deletedSections.reversed() { known.remove(at: number) }
    for new in edit.insertedSections {
      let section = CountedSection(identifier: new.name.text, count: new.count)
      known.insert(FetchedSection(section, of: contents, self), at: new.number)
    }
    knownSections = known
  }
}
