import Foundation
import OpenCocoaFoundation

// Following the changes of the context.
//
// The context reports the changes of each event before it tells its other observers. The report covers everything:
// changes made in the context, saves of child contexts, merges, refreshes and rollbacks.
extension FetchedResults: ContextObserver {
  /// Whether changes are followed: only if there is a delegate, or snapshots are read.
  var isTracking: Bool {
    contents != nil && !isStale && fetch?.isTracked == true && (delegate != nil || !broadcast.isEmpty)
  }

  func register() {
    guard !isRegistered else { return }
    isRegistered = true
    context.observers.add(self)
  }

  /// Called when the context has dropped all its objects.
  func contextDidReset() {
    isStale = true
    waiting = []
  }

  /// Whether objects of an entity may be among the results.
  func mayInclude(_ layout: EntityLayout) -> Bool { isTracking && fetch?.target.includes(layout) == true }

  /// Called before deletions by other contexts are merged. Deletions of objects that the context does not have are not
  /// reported, so objects of pages that are not in memory are made.
  func contextWillMerge(deletions: [NSManagedObjectID]) {
    guard let contents, deletions.contains(where: { mayInclude(context.objects.localLayout($0.entity)) }) else {
      return
    }
    deletedElsewhere += contents.pagedObjects(with: deletions)
  }

  /// Called when an event of the context has ended.
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
    deletedElsewhere = []
    if let edit = edit(for: changes) { tell(edit) }
  }

  /// Returns what the changes mean for the contents; nil if they mean nothing.
  private func edit(for changes: ContextChanges) -> ResultsEdit? {
    guard let fetch, let contents else { return nil }
    var candidates: [ResultsPlanner.Candidate] = []
    var new: [NSManagedObject] = []
    for object in changes.deleted where fetch.target.includes(object.layout) {
      guard let place = contents.place(of: object) else { continue }
      candidates.append(ResultsPlanner.Candidate(object: object, place: place, remains: false))
    }
    for set in changes.sets {
      for object in set where fetch.target.includes(object.layout) {
        let place = contents.place(of: object)
        let belongs = fetch.includes(object)
        if let place {
          candidates.append(ResultsPlanner.Candidate(object: object, place: place, remains: belongs))
        } else if belongs {
          new.append(object)
        }
      }
    }
    if candidates.isEmpty, new.isEmpty { return nil }
    candidates.sort { $0.place < $1.place }
    // Objects that are equal by all sort descriptors are sorted in the order in which they were made.
    new.sort { $0.birth < $1.birth }
    let planner = ResultsPlanner(contents: contents, order: fetch.target.sortDescriptors, name: sectionName)
    var edit = planner.plan(candidates, new: new)
    if !changes.written.isEmpty { edit.updated.removeAll { changes.written.contains($0.object) } }
    return edit.isEmpty ? nil : edit
  }

  /// Applies the edit to the contents.
  func apply(_ edit: ResultsEdit) {
    guard edit.changesPlaces, let contents else { return }
    changeSections(edit)
    contents.apply(edit)
    snapshotItems?.apply(edit)
  }
}

extension ContextChanges {
  /// The objects that are not deleted; each object is in one set only.
  fileprivate var sets: [Set<NSManagedObject>] {
    let own = [inserted, updated, refreshed]
    if touched.isEmpty, written.isEmpty { return own }
    return own + [own.reduce(touched.union(written).subtracting(deleted)) { $0.subtracting($1) }]
  }
}

extension NSManagedObject {
  /// Orders objects by the time when they were made: first those with rows, by their keys, then those without rows.
  fileprivate var birth: (Int, Int64) { key > 0 ? (0, key) : (1, -key) }
}
