import Foundation
import OpenCocoaFoundation

// Telling the delegate about an edit, in Apple's order: that changes follow, the sections, the objects, that all
// changes were told.
extension FetchedResults {
  /// Applies an edit, and tells the delegate and the sequences about it.
  func tell(_ edit: ResultsEdit) {
    let generationBefore = generation
    let changed = edit.updated.map(\.object) + edit.coming.lazy.filter { $0.oldPlace != nil }.map(\.object)
    guard let delegate, let owner, let oldPaths = contents.map({ OldPaths(edit, $0) }) else {
      apply(edit)
      _ = giveSnapshot(changed: changed)
      return
    }
    let controller = owner.erased
    if missingMethods.contains(.snapshot) {
      delegate.controllerWillChangeContent(controller)
      guard generation == generationBefore else { return }
    }
    let deleted = edit.deletedSections.compactMap { number in
      contents.map { FetchedSection(deleted: $0.sections.name(number), self) }
    }
    // A copy is made only if the old contents may be needed: the lists that it shares with them are copied at a change.
    let before = missingMethods.contains(.snapshot) ? nil : contents?.copy()
    apply(edit)
    if giveSnapshot(changed: changed) || generation != generationBefore { return }
    if let before {
      // The delegate turned out not to take snapshots. So it is told that changes follow while the old contents are
      // restored.
      let (after, sections) = (contents, knownSections)
      contents = before
      delegate.controllerWillChangeContent(controller)
      guard generation == generationBefore else { return }
      contents = after
      knownSections = sections
    }
    tellSections(edit, deleted, delegate, controller)
    tellObjects(edit, oldPaths, delegate, controller)
    guard generation == generationBefore else { return }
    tellDifference(edit, delegate, controller)
    delegate.controllerDidChangeContent(controller)
  }

  /// The index paths before an edit of the objects that it deletes, moves and changes.
  private struct OldPaths {
    let deleted: [IndexPath]
    /// Nil for new objects.
    let coming: [IndexPath?]
    let updated: [IndexPath]

    init(_ edit: ResultsEdit, _ contents: FetchedContents) {
      deleted = edit.deleted.map { contents.indexPath($0.place) }
      coming = edit.coming.map { $0.oldPlace.map(contents.indexPath) }
      updated = edit.updated.map { contents.indexPath($0.place) }
    }
  }

  /// Tells about deleted sections from the last to the first, then about new sections, so that a list can follow one by
  /// one.
  private func tellSections(
    _ edit: ResultsEdit, _ deleted: [any NSFetchedResultsSectionInfo],
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for (number, section) in zip(edit.deletedSections, deleted).reversed() {
      delegate.controller(controller, didChange: section, atSectionIndex: number, for: .delete)
    }
    guard !edit.insertedSections.isEmpty, let contents else { return }
    let copy = contents.copy()
    for new in edit.insertedSections {
      let (section, range) = (copy.sections.list[new.number], copy.sections.range(new.number))
      let information = FetchedSection(section, of: copy, range: range, self)
      delegate.controller(controller, didChange: information, atSectionIndex: new.number, for: .insert)
    }
  }

  private func tellObjects(
    _ edit: ResultsEdit, _ old: OldPaths, _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    guard let contents else { return }
    func tell(_ object: NSManagedObject, _ type: NSFetchedResultsChangeType, _ old: IndexPath?, _ new: Int?) {
      let element: Any = givesIDs ? object.objectID : object
      delegate.controller(
        controller, didChange: element, at: old, for: type, newIndexPath: new.map(contents.indexPath))
    }
    for (deleted, path) in zip(edit.deleted, old.deleted).reversed() { tell(deleted.object, .delete, path, nil) }
    for (number, coming) in edit.coming.enumerated() where coming.oldPlace == nil {
      tell(coming.object, .insert, nil, edit.newPlace(ofComing: number))
    }
    for (number, coming) in edit.coming.enumerated() where coming.oldPlace != nil {
      tell(coming.object, .move, old.coming[number], edit.newPlace(ofComing: number))
    }
    for (updated, path) in zip(edit.updated, old.updated) {
      tell(updated.object, .update, path, edit.newPlace(ofStaying: updated.place))
    }
  }

  private func tellDifference(
    _ edit: ResultsEdit, _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    guard sectionNameKeyPath == nil, !missingMethods.contains(.difference) else { return }
    var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
    for deleted in edit.deleted {
      changes.append(.remove(offset: deleted.place, element: deleted.object.objectID, associatedWith: nil))
    }
    for (number, coming) in edit.coming.enumerated() {
      let (id, place) = (coming.object.objectID, edit.newPlace(ofComing: number))
      if let old = coming.oldPlace { changes.append(.remove(offset: old, element: id, associatedWith: place)) }
      changes.append(.insert(offset: place, element: id, associatedWith: coming.oldPlace))
    }
    // The result is nil only if two changes have the same place.
    guard let difference = CollectionDifference(changes) else { return }
    delegate.controller(controller, didChangeContentWith: difference)
    DelegateMethodsKnown.note(missingMethods, of: delegate)
  }
}
