import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// What became of saves without an answer, and how the next save of the same context goes on from there.
extension WebIncrementalStore {
  /// Asks what became of saves without an answer. What the service has not carried out by then it never will.
  func settleDoubts() throws {
    let open = memory.withLock { memory in
      memory.doubts.removeAll { $0.context == nil }
      return memory.doubts.filter { !$0.isDone }.map(\.message.request)
    }
    for request in open {
      var isDone = true
      do {
        let _: SaveAnswer = try place.connection.get("saves/\(request)")
      } catch let no as StatusError where no.saysGone(request) { isDone = false }
      memory.withLock { memory in
        guard let index = memory.doubts.firstIndex(where: { $0.message.request == request }) else { return }
        if isDone { memory.doubts[index].isDone = true } else { memory.doubts.remove(at: index) }
      }
    }
  }

  /// The saves of a context that were carried out without its knowledge, in their order.
  func doneDoubts(of context: NSManagedObjectContext) -> [SaveMessage] {
    memory.withLock { $0.doubts.filter { $0.isDone && $0.context === context }.map(\.message) }
  }

  func dropDoneDoubts(of context: NSManagedObjectContext) {
    memory.withLock { $0.doubts.removeAll { $0.isDone && $0.context === context } }
  }

  /// Makes a save of one that follows another, which was carried out.
  ///
  /// The context still has the changes of that one, or has undone some of them. What it holds is what the service shall have. Of
  /// objects that it holds no more the service's state stands, and is read anew; an insertion that is gone is deleted.
  func takeUp(_ done: SaveMessage, in message: inout SaveMessage, _ context: NSManagedObjectContext) throws {
    let there = Set(done.inserted.map(\.id)), gone = Set(done.deleted.map(\.id))
    let versions = Dictionary(
      (done.inserted + done.updated).map { ($0.id, (before: $0.version ?? 0, after: ($0.version ?? 0) + 1)) }
    ) { first, _ in first }
    func followed(_ change: SaveMessage.Change) -> SaveMessage.Change {
      var change = change
      guard let version = versions[change.id] else { return change }
      if there.contains(change.id) || change.version ?? 0 == version.before { change.version = version.after }
      return change
    }
    message.updated = (message.inserted.filter { there.contains($0.id) } + message.updated).map(followed)
    message.inserted.removeAll { there.contains($0.id) }
    let stillDeleted = Set(message.deleted.map(\.id))
    message.deleted = message.deleted.filter { !gone.contains($0.id) }.map(followed)
    message.locked = message.locked.map(followed)
    for written in done.inserted + done.updated where !stillDeleted.contains(written.id) {
      try takeUp(written, versions[written.id]?.after, in: &message, context)
    }
    for id in gone.subtracting(stillDeleted) {
      message.updated.removeAll { $0.id == id }
      if let object = try held(id, context) { message.inserted.append(try insertion(object)) } else { try readAnew(id) }
    }
    // What is written need not be checked besides.
    let written = Set((message.inserted + message.updated + message.deleted).map(\.id))
    message.locked.removeAll { written.contains($0.id) }
  }

  /// Sends every property that the change wrote, as the context has it now.
  private func takeUp(
    _ written: SaveMessage.Change, _ version: Int64?, in message: inout SaveMessage, _ context: NSManagedObjectContext
  ) throws {
    guard let object = try held(written.id, context) else {
      if written.version == nil {
        message.deleted.append(SaveMessage.Change(id: written.id, version: version))
      } else {
        try readAnew(written.id)
      }
      return
    }
    let place = message.updated.firstIndex { $0.id == written.id }
    var change = place.map { message.updated[$0] } ?? SaveMessage.Change(id: written.id, version: version)
    let names = Set(written.values ?? [:], written.one ?? [:], written.many?.filter { $0.value.all != nil } ?? [:])
    let now = try self.change(object, version: version, names: names)
    change.values = (now.values ?? [:]).merging(change.values ?? [:]) { $1 }
    change.one = (now.one ?? [:]).merging(change.one ?? [:]) { $1 }
    var many = (now.many ?? [:]).merging(change.many ?? [:]) { $1 }
    for (name, members) in written.many ?? [:] where members.all == nil {
      many[name] = (many[name] ?? SaveMessage.Members()).after(members)
    }
    change.many = many
    if let place { message.updated[place] = change } else { message.updated.append(change) }
  }

  /// The object as the context has it; nil if the context holds it no more.
  private func held(_ id: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    guard let object = context.registeredObject(for: try objectID(id)), !object.isDeleted else { return nil }
    return object.isFault ? try? context.existingObject(with: object.objectID) : object
  }

  private func readAnew(_ id: String) throws {
    memory.withLock { $0.cache.forget([id]) }
    forgetRows(of: [try objectID(id)])
  }
}

extension Set<String> {
  fileprivate init(
    _ values: [String: JSON], _ one: [String: String?], _ many: [String: SaveMessage.Members]
  ) { self = Set(values.keys).union(one.keys).union(many.keys) }
}
