import Foundation

// Fetches that report their results to the log and the recorder.
extension FetchRun {
  /// The request's objects. The fetch is logged and recorded if that is wanted.
  @inline(__always)
  func watchedObjects(
    for request: some AnyFetchRequest, _ target: FetchTarget, wantsRows: Bool, _ ahead: [ReadAhead]
  ) throws -> ContiguousArray<NSManagedObject> {
    if !Watchers.watchContexts { return try objects(for: request, target, wantsRows: wantsRows, ahead: ahead) }
    let watch = ContextWatch(request.readsKeysOnly(wantsRows) ? .fetchKeys : .fetch, target.layout)
    do {
      let objects = try objects(for: request, target, wantsRows: wantsRows, ahead: ahead)
      let touches = request.resultType == .managedObjectResultType ? countTouches(objects) : 0
      watch.endFetch(request, rows: objects.count, objects: objects, number: touches)
      return objects
    } catch {
      watch.fail()
      throw error
    }
  }

  /// Makes the recorder count how many of a fetch's faults fire, and gives the number of that counter; 0 if there is
  /// nothing to count.
  private func countTouches(_ objects: ContiguousArray<NSManagedObject>) -> Int {
    guard Watchers.isRecording else { return 0 }
    // The faults of one store share a fault batch; a fault that another fetch has given since belongs to that fetch.
    var faultBatches: [ObjectIdentifier: (faultBatch: FaultBatch, faults: Int)] = [:]
    for object in objects {
      guard object.isUnread, let faultBatch = object.faultBatch else { continue }
      faultBatches[ObjectIdentifier(faultBatch), default: (faultBatch, 0)].faults += 1
    }
    guard faultBatches.count == 1, let (faultBatch, faults) = faultBatches.values.first, faultBatch.touches == nil,
      let counter = Recorder.shared.watchFaults(faults)
    else { return 0 }
    faultBatch.touches = counter
    return counter.number
  }

  func watchedDictionaries(
    for request: some AnyFetchRequest, _ target: FetchTarget
  ) throws -> [[String: Any]] {
    if !Watchers.watchContexts { return try dictionaries(for: request, target) }
    let watch = ContextWatch(.fetchDictionaries, target.layout)
    do {
      let dictionaries = try dictionaries(for: request, target)
      watch.endFetch(request, rows: dictionaries.count)
      return dictionaries
    } catch {
      watch.fail()
      throw error
    }
  }
}
