import Foundation
import OpenCocoaFoundation

// Telling the delegate about an edit, in Apple's order: that changes follow, the sections, the objects, that all
// changes were told.
extension FetchedResults {
  /// Applies an edit, and tells the delegate and the sequences about it.
  func tell(_ edit: ResultsEdit) {
    let generationBefore = generation
    let changed = edit.updated.map(\.object) + edit.coming.lazy.filter { $0.oldPlace != nil }.map(\.object)
    guard let delegate, let owner, let sectionsBefore = contents?.sections else {
      apply(edit)
      _ = giveSnapshot(changed: changed)
      return
    }
    let controller = owner.erased
    if missingMethods.contains(.snapshot) {
      delegate.controllerWillChangeContent(controller)
      guard generation == generationBefore else { return }
    }
    let information = sectionInformation(of: edit.deletedSections)
    // The old contents are kept only if they may be needed: without a second reference the list is changed in place.
    let before = missingMethods.contains(.snapshot) ? nil : contents
    apply(edit)
    if giveSnapshot(changed: changed) || generation != generationBefore { return }
    if let before {
      // The delegate turned out not to take snapshots. So it is told that changes follow while the old contents are
      // restored.
      let after = contents
      contents = before
      positions.forget()
      delegate.controllerWillChangeContent(controller)
      guard generation == generationBefore else { return }
      contents = after
      positions.forget()
    }
    guard let sectionsAfter = contents?.sections else { return }
    tellSections(edit, information, delegate, controller)
    tellObjects(edit, sectionsBefore, sectionsAfter, delegate, controller)
    guard generation == generationBefore else { return }
    tellDifference(edit, delegate, controller)
    delegate.controllerDidChangeContent(controller)
  }

  private func sectionInformation(of numbers: [Int]) -> [any NSFetchedResultsSectionInfo] {
    guard !numbers.isEmpty, let contents else { return [] }
    return numbers.map { FetchedSection($0, of: contents, self, isDeleted: true) }
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
    for number in edit.insertedSections {
      let section = FetchedSection(number, of: contents, self)
      delegate.controller(controller, didChange: section, atSectionIndex: number, for: .insert)
    }
  }

  private func tellObjects(
    _ edit: ResultsEdit, _ before: SectionTable, _ after: SectionTable,
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    func tell(_ object: NSManagedObject, _ type: NSFetchedResultsChangeType, _ old: Int?, _ new: Int?) {
      let element: Any = givesIDs ? object.objectID : object
      delegate.controller(
        controller, didChange: element, at: old.map(before.indexPath), for: type, newIndexPath: new.map(after.indexPath)
      )
    }
    for deleted in edit.deleted.reversed() { tell(deleted.object, .delete, deleted.place, nil) }
    for (number, coming) in edit.coming.enumerated() where coming.oldPlace == nil {
      tell(coming.object, .insert, nil, edit.newPlace(ofComing: number))
    }
    for (number, coming) in edit.coming.enumerated() where coming.oldPlace != nil {
      tell(coming.object, .move, coming.oldPlace, edit.newPlace(ofComing: number))
    }
    for updated in edit.updated {
      tell(updated.object, .update, updated.place, edit.newPlace(ofStaying: updated.place))
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
