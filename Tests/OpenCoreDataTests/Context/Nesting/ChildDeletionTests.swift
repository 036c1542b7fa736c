import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a child deletes, and what only the contexts above know to belong to it.
@Suite struct ChildDeletionTests {
  /// The child has read the members before others were added: the delete rule holds for these, too.
  @Test(arguments: [false, true], [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func theDeleteRuleHoldsForMembersThatTheParentHasSaved(isNewer: Bool, rule: NSDeleteRule) throws {
    let url = try TestModel.temporaryFile()
    let root = TestModel.context(try TestModel.coordinator(Society.family(rule), url: url))
    let child = Tree.child(of: root)
    let (kept, id) = try root.inside { root in
      let parent = root.make("Parent", ["name": "parent"])
      _ = root.make("Child", ["name": "first", "parent": parent])
      try root.save()
      return (parent, parent.objectID)
    }
    let parent = try child.inside { child in
      let parent = try child.existingObject(with: id)
      #expect(parent.many("children").count == 1)
      return parent
    }
    if isNewer {
      try root.inside { root in
        // What the parent has is up to date, so that nothing is in conflict.
        _ = root.make("Child", ["name": "second", "parent": kept])
        try root.save()
      }
    }
    try child.inside { child in
      child.delete(parent)
      try child.save()
    }
    try root.inside { root in try root.save() }
    let children = try PlainDatabase(url).rows("SELECT ZNAME, ZPARENT FROM ZCHILD ORDER BY ZNAME")
    let names = isNewer ? ["first", "second"] : ["first"]
    #expect(children.map(\.[0].text) == (rule == .cascadeDeleteRule ? [] : names))
    #expect(children.allSatisfy { $0[1] == .null })
  }

  /// The parent has met the row that was gone, and has the object among its changes already when it comes again.
  @Test func anUndoneDeletionComesUpToAParentThatHasMissedTheRow() throws {
    let url = try TestModel.temporaryFile()
    let root = TestModel.context(try TestModel.coordinator(Society.family(.nullifyDeleteRule), url: url))
    let child = Tree.child(of: root)
    try child.inside { child in
      child.undoManager = UndoManager()
      let parent = child.make("Parent", ["name": "parent"])
      try Tree.saveUp(child)
      child.undoManager?.removeAllActions()
      child.delete(parent)
      try Tree.saveUp(child)
      let id = parent.objectID
      try root.inside { root in
        #expect(root.object(with: id).text("name") == nil && root.deletedObjects.count == 1)
      }
      child.undo()
      #expect(parent.isInserted && parent.objectID == id)
      try child.save()
      try root.inside { root in
        #expect(root.insertedObjects.count == 1 && root.changed.count == 1)
        try root.save()
      }
    }
    #expect(try PlainDatabase(url).rows("SELECT ZNAME FROM ZPARENT").map(\.[0].text) == ["parent"])
  }
}
