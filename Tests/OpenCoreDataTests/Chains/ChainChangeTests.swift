import CoreData
import Foundation
import Testing

/// No change walks a chain of objects by recursion.
@Suite(.serialized) struct ChainChangeTests {
  @Test func deletionCascadesAlongChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases where link != .parent {
          let context = try Chain.context()
          try context.performAndWait {
            Chain.make(link, context)
            try context.save()
            context.reset()
            context.delete(try Chain.first(context, link))
            context.processPendingChanges()
            for object in context.deletedObjects { try object.validateForDelete() }
            try context.save()
            Chain.require(try context.all("Node").isEmpty, "\(link) has left something")
            // Never saved.
            context.delete(Chain.make(link, context))
            context.processPendingChanges()
            Chain.require(context.insertedObjects.isEmpty, "\(link) has left something")
          }
        }
      }
    }
  }

  @Test func deletionLetsGoOfNeighbours() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let context = try Chain.context()
        try context.performAndWait {
          Chain.make(.parent, context)
          try context.save()
          let nodes = try context.all("Node", sortedBy: "name")
          for place in stride(from: 0, to: nodes.count, by: 2) {
            let node = nodes[place]
            node.setValue(NSSet(), forKey: "children")
            context.delete(node)
          }
          try context.save()
        }
      }
    }
  }

  @Test func undoingAndRedoingChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let context = try Chain.context()
          try context.performAndWait {
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            Chain.make(link, context)
            context.processPendingChanges()
            context.undo()
            Chain.require(context.insertedObjects.isEmpty, "\(link) is not undone")
            context.redo()
            try context.save()
            let first = try Chain.first(context, link)
            Chain.require(Chain.walk(first, link) == Chain.length, "\(link) is shorter")
            if link != .parent {
              context.delete(first)
              context.processPendingChanges()
              context.undo()
              Chain.require(Chain.walk(try Chain.first(context, link), link) == Chain.length, "\(link) is shorter")
            }
            manager.removeAllActions()
          }
        }
      }
    }
  }

  /// Others relate a chain to an object that is deleted here, whose delete rule goes along the chain when that is merged.
  @Test func undoingWhatDeleteRulesHaveDeletedInMerges() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in [Chain.Link.next, .children, .parts, .twin] {
          let context = try Chain.context()
          let other = TestModel.context(context.persistentStoreCoordinator!)
          let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: other)
          try context.performAndWait {
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            let root = context.make("Node", ["name": "root"])
            try context.save()
            manager.removeAllActions()
            context.delete(root)
            context.processPendingChanges()
            try other.performAndWait {
              let first = Chain.make(link, other)
              let there = other.object(with: root.objectID)
              switch link {
              case .next: there.setValue(first, forKey: "next")
              case .parts: first.setValue(there, forKey: "whole")
              case .twin:
                let twin = other.make("Twin", ["name": "twin"])
                there.setValue(twin, forKey: "twin")
                twin.setValue(first, forKey: "node")
              default: first.setValue(there, forKey: "parent")
              }
              try other.save()
            }
            // Read, so that the merge finds the members.
            let first = try Chain.first(context, link)
            Chain.walk(first, link)
            context.mergeChanges(fromContextDidSave: saved.merged)
            Chain.require(first.isDeleted, "\(link) is not deleted")
            context.undo()
            Chain.require(!first.isDeleted && !root.isDeleted, "\(link) is not undone")
            Chain.require(context.deletedObjects.isEmpty, "\(link) is not whole")
            try context.save()
            Chain.require(Chain.walk(first, link) == Chain.length, "\(link) is shorter")
            manager.removeAllActions()
          }
        }
      }
    }
  }

  @Test func mergingSavesOfChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let writer = try Chain.context()
          let reader = TestModel.context(writer.persistentStoreCoordinator!)
          try writer.performAndWait {
            Chain.make(link, writer)
            try writer.save()
          }
          let kept = try reader.performAndWait {
            let first = try Chain.first(reader, link)
            Chain.walk(first, link)
            return first
          }
          let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
          ) { note in
            nonisolated(unsafe) let note = note
            reader.performAndWait { reader.mergeChanges(fromContextDidSave: note) }
          }
          try writer.performAndWait {
            for object in try writer.all("Node") { object.setValue("x", forKey: "name") }
            try writer.save()
            for object in try writer.all("Node") { writer.delete(object) }
            try writer.save()
          }
          NotificationCenter.default.removeObserver(token)
          withExtendedLifetime(kept) {}
        }
      }
    }
  }

  @Test func childContextsHandOnChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let parent = try Chain.context()
          let child = Chain.child(of: Chain.child(of: parent))
          try child.performAndWait {
            try child.obtainPermanentIDs(for: [Chain.make(link, child)])
            try child.save()
            Chain.require(Chain.walk(try Chain.first(child, link), link) == Chain.length, "\(link) is shorter")
          }
          let second = Chain.child(of: child)
          try second.performAndWait {
            Chain.require(Chain.walk(try Chain.first(second, link), link) == Chain.length, "\(link) is shorter")
            if link != .parent { second.delete(try Chain.first(second, link)) }
            try second.save()
          }
          child.performAndWait { child.rollback() }
        }
      }
    }
  }
}
