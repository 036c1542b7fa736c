import Foundation
import OpenCocoaFoundation

// Following the context.
//
// The context reports the changes of each event here before it tells its other observers. That includes all changes: those
// that were made in the context, what a child context has saved, merges, refreshes and rollbacks.
extension FetchedResults: ContextObserver {
  /// Whether changes are followed: only with a delegate, or while snapshots are read.
  var isTracking: Bool {
    contents != nil && !isStale && fetch?.isTracked == true && (delegate != nil || !broadcast.isEmpty)
  }

  func register() {
    guard !isRegistered else { return }
    isRegistered = true
    context.observers.add(self)
  }

  /// The context has dropped all its objects.
  func contextDidReset() {
    isStale = true
    waiting = []
  }

  /// Whether objects of that entity may be among the results.
  func mayInclude(_ layout: EntityLayout) -> Bool { isTracking && fetch?.target.includes(layout) == true }

  /// Called before deletions of others are merged. Objects of pages that are not in memory are made, because deletions of
  /// objects that the context does not have are not reported.
  func contextWillMerge(deletions: [NSManagedObjectID]) {
    guard deletions.contains(where: { mayInclude(context.objects.localLayout($0.entity)) }) else { return }
    _ = contents?.objects
  }

  /// An event of the context has ended.
  func contextDidChange(_ changes: ContextChanges) {
    guard isTracking else { return }
    waiting.append(changes)
    // A delegate that changes objects and processes these changes causes a second report; it is delivered after the
    // current one.
    if isTelling { return }
    isTelling = true
    defer { isTelling = false }
    while !waiting.isEmpty {
      let changes = waiting.removeFirst()
      if isTracking { process(changes) }
    }
  }

  private func process(_ changes: ContextChanges) {
    guard let fetch, let contents else { return }
    var candidates: [ResultsPlanner.Candidate] = []
    var new: [NSManagedObject] = []
    for object in changes.deleted where fetch.target.includes(object.layout) {
      guard let place = positions.place(of: object, in: contents.objects) else { continue }
      candidates.append(ResultsPlanner.Candidate(object: object, place: place, remains: false))
    }
    for set in changes.sets {
      for object in set where fetch.target.includes(object.layout) {
        let place = positions.place(of: object, in: contents.objects)
        let belongs = fetch.includes(object)
        if let place {
          candidates.append(ResultsPlanner.Candidate(object: object, place: place, remains: belongs))
        } else if belongs {
          new.append(object)
        }
      }
    }
    if candidates.isEmpty, new.isEmpty { return }
    candidates.sort { $0.place < $1.place }
    // Objects that are equal by all sort descriptors are sorted by the order of their creation.
    new.sort { $0.birth < $1.birth }
    let planner = ResultsPlanner(contents: contents, order: fetch.target.sortDescriptors, name: sectionName)
    var edit = planner.plan(candidates, new: new)
    if !changes.written.isEmpty { edit.updated.removeAll { changes.written.contains($0.object) } }
    if !edit.isEmpty { tell(edit) }
  }

  /// Puts the edit into effect.
  func apply(_ edit: ResultsEdit) {
    guard edit.changesPlaces, let before = contents else { return }
    let leaving = edit.removed.map { before.objects[$0] }
    // The only reference to the list is taken out, so that it is changed in place.
    var objects = before.objects
    contents = nil
    _ = consume before
    edit.apply(to: &objects) { $0 }
    contents = FetchedContents(objects: objects, sections: edit.sections)
    snapshotItems?.apply(edit)
    positions.change(
      removing: leaving,
      adding: edit.coming.enumerated().map { ($0.element.object, edit.newPlace(ofComing: $0.offset)) })
  }
}

extension ContextChanges {
  /// The objects that are not deleted, each in one set.
  fileprivate var sets: [Set<NSManagedObject>] {
    let own = [inserted, updated, refreshed]
    if touched.isEmpty, written.isEmpty { return own }
    return own + [own.reduce(touched.union(written).subtracting(deleted)) { $0.subtracting($1) }]
  }
}

extension NSManagedObject {
  /// Orders objects by the time at which they were made: those with rows by their keys, then those without.
  fileprivate var birth: (Int, Int64) { key > 0 ? (0, key) : (1, -key) }
}
