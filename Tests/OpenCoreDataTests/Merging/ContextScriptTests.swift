import CoreData
import Testing

/// Both ends of relationships agree where contexts save by policies, undo, and merge what comes back: cases that the random
/// ones (`ContextScriptFuzzTests`) have found.
@Suite struct ContextScriptTests {
  static let scripts: [[String]] = [
    // A policy takes one end back to a row, and the other end is set here.
    [
      "A: policy rollback", "B: Tag 10.first=Node 1", "B: save", "A: Node 0.firstOf=Tag 10",
      "B: Node 1.whole=Node 2", "B: save", "A: save",
    ],
    [
      "A: policy store trump", "B: Tag 11.name", "B: save", "A: read Tag 11", "A: Node 0.whole=Node 1",
      "B: Tag 11.first=Node 1", "B: Node 1.partner=Node 2", "B: save", "A: Node 2.partner=Node 2",
      "A: save",
    ],
    // A value was set to what the row said; the row says something else when the other end is set.
    [
      "A: policy object trump", "A: read Tag 10", "A: Tag 11.first=nil", "B: Tag 11.first=Node 0", "B: save",
      "A: Tag 10.first=Node 0", "A: save",
    ],
    // One end was set to an object that others have deleted.
    [
      "A: policy object trump", "B: Tag 11.first=Node 3", "B: save", "A: read Tag 11",
      "A: Tag 10.first=Node 3", "A: Tag 11.first=Node 0", "B: delete Tag 10", "B: save", "A: save",
    ],
    // A policy brings an object back that others had deleted; a context had merged its deletion.
    [
      "A: policy overwrite", "a: Tag 10.first=nil", "C: Leaf 5.firstOf=nil", "C: Node 4.tags-Tag 10", "a: save",
      "B: delete Tag 10", "B: save", "a: Leaf 5.firstOf=Tag 10", "C: merge", "a: save", "A: save", "C: merge",
    ],
    // An object's row still names a partner that its own row has given up.
    [
      "a: Node 0.firstOf=Tag 11", "A: Tag 11.first=Node 4", "C: Node 4.partner=nil", "C: save", "A: merge", "A: save",
      "a: save", "C: merge", "A: save", "C: Tag 11.first=Node 4",
    ],
    // Two contexts add members to one ordered list.
    [
      "B: Node 3.leaders+Node 4", "C: Node 3.leaders+Node 2", "B: save", "C: Node 4.firstOf=nil",
    ],
    // The object's own end was given up before it was deleted.
    [
      "A: Node 1.partner=Node 2", "A: save", "A: undo manager", "A: Node 1.partner=nil", "A: delete Node 1", "A: undo",
      "A: save",
    ],
    // A child undoes a deletion that its parent has taken back after a conflict.
    [
      "b: undo manager", "A: Node 1.partner=nil", "b: delete Node 1", "A: save", "b: save", "b: undo", "B: save",
    ],
    // The delete rule of an object took away a partner that others have given it meanwhile; the deletion is undone.
    [
      "C: undo manager", "A: Tag 12.first=nil", "C: delete Tag 12", "A: save", "B: Tag 12.first=Node 2", "B: save",
      "C: merge", "C: undo",
    ],
    // Others have related members to an object that is deleted here; the deletion is undone after they were merged.
    [
      "A: undo manager", "A: delete Node 2", "B: Node 2.followers+Node 4", "B: save", "A: merge", "A: undo",
      "A: check",
    ],
    [
      "A: undo manager", "A: delete Node 2", "B: Node 4.parent=Node 2", "B: save", "A: merge", "A: undo", "A: check",
    ],
    [
      "A: undo manager", "A: delete Node 2", "B: Node 4.owner=Node 2", "B: save", "A: merge", "A: undo", "A: check",
    ],
    [
      "A: undo manager", "A: delete Tag 10", "B: Node 1.tags+Tag 10", "B: save", "A: merge", "A: undo", "A: check",
    ],
    [
      "A: undo manager", "A: fetch", "A: delete Node 2", "B: Node 4.leaders+Node 2", "B: Node 1.parent=Node 2",
      "B: save", "A: merge", "B: Node 3.friends+Node 2", "B: save", "A: merge", "A: undo", "A: check",
    ],
    [
      "A: undo manager", "A: delete Node 2", "B: Node 4.whole=Node 2", "B: save", "A: merge", "A: undo", "A: check",
    ],
    // A child takes back a deletion that it has handed up, of an object that its parent had related meanwhile.
    [
      "a: undo manager", "a: delete Node 4", "a: delete Node 2", "a: undo", "A: Node 4.partner=Node 1", "a: save",
      "a: undo",
    ],
    [
      "A: Node 4.parent=Node 1", "A: Node 4.tags+Tag 10", "A: Node 2.owner=Node 4", "A: Node 4.friends+Node 3",
      "a: undo manager", "a: fetch", "a: delete Node 4", "a: save", "a: undo", "a: save", "A: check", "a: check",
    ],
    [
      "a: undo manager", "a: delete Node 4", "A: Node 4.parent=Node 1", "A: Node 4.tags+Tag 10",
      "A: Node 2.owner=Node 4", "A: Node 4.friends+Node 3", "a: save", "a: undo", "a: save", "A: check",
    ],
    // The merge policy of a parent takes back what a child has handed up.
    [
      "A: policy rollback", "a: automatic", "a: fetch", "a: Node 0.tags+Tag 12", "a: save", "B: Tag 12.name",
      "B: save", "A: save", "A: merge", "a: check",
    ],
    [
      "A: policy store trump", "a: automatic", "a: Node 3.firstOf=Tag 10", "a: save", "B: delete Node 3", "B: save",
      "A: save", "A: merge", "a: check",
    ],
    [
      "A: policy rollback", "a: automatic", "a: Node 0.partner=Node 1", "a: save", "B: Node 0.name", "B: save",
      "A: save", "A: merge", "a: check",
    ],
    // Two contexts add the same member; the one that saves first undoes that, after the other has undone something else.
    [
      "A: undo manager", "B: undo manager", "B: Node 4.followers+Leaf 5", "A: Node 4.followers+Leaf 5", "B: save",
      "A: merge", "A: Node 0.items+Leaf 5", "A: undo", "B: undo", "B: save", "A: merge", "A: check",
    ],
    [
      "A: undo manager", "B: undo manager", "B: Node 4.tags+Tag 10", "A: Node 4.tags+Tag 10", "B: save", "A: merge",
      "A: Tag 10.name", "A: undo", "B: undo", "B: save", "A: merge", "A: check",
    ],
    // An object turns out to be gone when it is related, before its deletion is merged.
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 0.owner=Node 2", "A: merge", "A: check",
    ],
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 0.firstOf=Tag 10", "A: merge", "A: check",
    ],
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 2.children+Node 0", "A: merge", "A: check",
    ],
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 2.items+Node 0", "A: merge", "A: check",
    ],
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 2.parent=Node 0", "A: merge", "A: check",
    ],
    [
      "A: fetch", "C: delete Node 0", "C: save", "A: Node 0.followers+Node 2", "A: merge", "A: check",
    ],
    [
      "A: delete Node 1", "C: Node 1.items+Node 0", "A: save", "C: fetch", "C: merge", "C: check",
    ],
    // A child's save fails after its parent was given rows that the child had read before others saved.
    [
      "C: Node 1.partner=Node 4", "b: delete Leaf 5", "A: Leaf 5.friends-Node 4", "b: save", "a: Leaf 5.parts+Leaf 5",
      "a: Node 4.parts+Node 4", "B: save", "C: save", "A: merge",
    ],
    // An object that is deleted has two relationships to another one, which was read before others related the two.
    [
      "C: read Leaf 5", "A: Leaf 5.partner=Node 3", "A: Leaf 5.owner=Node 3", "A: save", "C: Leaf 5.name",
      "C: delete Node 3",
    ],
    // A policy inserts an object again whose row others have read in a later version than this context.
    [
      "B: policy overwrite", "C: automatic", "A: Node 3.whole=Node 2", "a: Node 3.items+Node 4",
      "B: Tag 11.first=Node 3", "C: delete Node 2", "A: save",
    ],
    // Two contexts undo a deletion that both have saved.
    [
      "A: undo manager", "B: undo manager", "A: delete Node 1", "B: delete Node 1", "A: save", "B: save", "A: undo",
      "B: undo", "A: save", "B: Node 1.name", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1", "B: delete Node 1",
      "A: save", "B: save", "A: undo", "B: undo", "A: Node 1.name", "A: save", "B: save", "B: check", "A: merge",
      "A: check",
    ],
    [
      "B: policy rollback", "A: undo manager", "B: undo manager", "A: delete Node 1", "B: delete Node 1", "A: save",
      "B: save", "A: undo", "B: undo", "A: Node 1.name", "A: save", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "A: undo manager", "B: undo manager", "A: delete Node 1", "B: delete Node 1", "A: save", "B: save", "A: undo",
      "B: undo", "A: Node 1.name", "A: save", "B: merge", "B: check", "B: Node 1.name", "B: save", "A: merge",
      "A: check",
    ],
    [
      "A: Node 1.parent=Node 2", "A: Node 3.owner=Node 1", "A: Node 1.partner=Node 4", "A: Node 1.tags+Tag 10",
      "A: Node 1.followers+Node 0", "A: Tag 11.first=Node 1", "A: save", "B: fetch", "A: fetch",
      "A: policy object trump", "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1",
      "B: delete Node 1", "A: save", "B: save", "A: undo", "B: undo", "B: policy object trump", "A: Node 1.name",
      "A: save", "B: Node 1.name", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "A: Node 1.parent=Node 2", "A: Node 3.owner=Node 1", "A: Node 1.partner=Node 4", "A: Node 1.tags+Tag 10",
      "A: Node 1.followers+Node 0", "A: Tag 11.first=Node 1", "A: save", "B: fetch", "A: fetch",
      "A: policy object trump", "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1",
      "B: delete Node 1", "A: save", "B: save", "A: undo", "B: undo", "B: policy store trump", "A: Node 1.name",
      "A: save", "B: Node 1.name", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "A: Node 1.parent=Node 2", "A: Node 3.owner=Node 1", "A: Node 1.partner=Node 4", "A: Node 1.tags+Tag 10",
      "A: Node 1.followers+Node 0", "A: Tag 11.first=Node 1", "A: save", "B: fetch", "A: fetch",
      "A: policy object trump", "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1",
      "B: delete Node 1", "A: save", "B: save", "A: undo", "B: undo", "B: policy overwrite", "A: Node 1.name",
      "A: save", "B: Node 1.name", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "A: Node 1.parent=Node 2", "A: Node 3.owner=Node 1", "A: Node 1.partner=Node 4", "A: Node 1.tags+Tag 10",
      "A: Node 1.followers+Node 0", "A: Tag 11.first=Node 1", "A: save", "B: fetch", "A: fetch",
      "A: policy object trump", "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1",
      "B: delete Node 1", "A: save", "B: save", "A: undo", "B: undo", "B: policy rollback", "A: Node 1.name",
      "A: save", "B: Node 1.name", "B: save", "B: check", "A: merge", "A: check",
    ],
    [
      "A: Node 1.parent=Node 2", "A: Node 3.owner=Node 1", "A: Node 1.partner=Node 4", "A: Node 1.tags+Tag 10",
      "A: Node 1.followers+Node 0", "A: Tag 11.first=Node 1", "A: save", "B: fetch", "A: fetch",
      "A: policy object trump", "B: policy object trump", "A: undo manager", "B: undo manager", "A: delete Node 1",
      "B: delete Node 1", "A: save", "B: save", "A: undo", "B: undo", "A: save", "b: Node 1.name", "b: save",
      "B: save", "B: check", "A: merge", "A: check",
    ],
    // A partner becomes a fault while all objects are refreshed, and is read again for another relationship.
    [
      "C: fetch", "C: Node 4.partner=Node 1", "C: Leaf 5.firstOf=Tag 11", "A: Node 1.partner=Node 3",
      "A: Node 3.firstOf=Tag 11", "A: save", "C: refresh all", "C: check", "C: save",
    ],
    [
      "C: fetch", "C: Node 4.partner=Node 3", "C: Leaf 5.firstOf=Tag 11", "A: Node 3.partner=Node 1",
      "A: Node 1.firstOf=Tag 11", "A: save", "C: refresh all", "C: check", "C: save",
    ],
    // A policy inserts an object again whose owners have lost it with its row.
    [
      "C: policy overwrite", "C: fetch", "C: Node 3.children+Leaf 5", "C: Node 4.parts+Leaf 5",
      "C: Node 2.items+Leaf 5",
      "C: save", "B: delete Leaf 5", "B: save", "C: Leaf 5.name", "C: refresh all", "C: read Node 3", "C: read Node 4",
      "C: read Node 2", "C: save", "C: check",
    ],
    [
      "C: policy overwrite", "C: Leaf 5.tags+Tag 10", "C: Leaf 5.friends+Node 1", "C: Leaf 5.followers+Node 2",
      "C: Node 3.parent=Leaf 5", "C: save", "C: read Tag 10", "C: read Node 1", "C: read Node 2", "C: read Node 3",
      "B: delete Leaf 5", "B: save", "C: Leaf 5.name", "C: save", "C: check",
    ],
    // Refreshing applies the delete rule of an object to another one, whose deletion alone is undone.
    [
      "C: undo manager", "C: fetch", "C: delete Node 4", "B: Node 4.parts+Node 1", "B: save",
      "C: Leaf 5.leaders+Node 1",
      "C: refresh all", "C: undo", "C: check", "C: undo", "C: check", "C: undo", "C: check",
    ],
    [
      "C: undo manager", "C: delete Node 4", "C: delete Node 1", "B: Node 4.parts+Node 1", "B: save", "C: merge",
      "C: undo",
      "C: check", "C: undo", "C: check",
    ],
    [
      "C: undo manager", "C: delete Node 4", "C: delete Node 1", "B: Node 4.children+Node 1", "B: save", "C: merge",
      "C: undo", "C: check", "C: undo", "C: check",
    ],
    // Two objects that are deleted in two steps, which others relate to each other; the second deletion is undone.
    [
      "B: undo manager", "B: fetch", "B: delete Node 2", "B: delete Node 1", "A: Node 1.followers+Node 2", "A: save",
      "B: merge", "B: undo", "B: check", "B: undo", "B: check",
    ],
    [
      "B: undo manager", "B: fetch", "B: delete Tag 10", "B: delete Node 1", "A: Node 1.tags+Tag 10", "A: save",
      "B: merge", "B: undo", "B: check", "B: undo", "B: check",
    ],
    // Others end a relationship of an object that is deleted here; the deletion is undone before that is merged.
    [
      "B: Node 4.friends+Node 0", "B: save", "C: undo manager", "C: fetch", "C: read Node 4", "C: read Node 0",
      "C: delete Node 0", "B: Node 4.friends-Node 0", "B: save", "C: undo", "C: refresh all", "C: check",
    ],
    [
      "B: Node 4.tags+Tag 10", "B: save", "C: undo manager", "C: fetch", "C: read Node 4", "C: read Tag 10",
      "C: delete Tag 10", "B: Node 4.tags-Tag 10", "B: save", "C: undo", "C: merge", "C: check",
    ],
    // Others relate two objects, as is done here, and delete the one that this is no change for.
    [
      "A: policy object trump", "A: read Tag 12", "B: Tag 12.first=Node 1", "B: save", "A: Tag 12.first=Node 1",
      "C: delete Node 1", "C: save", "A: save",
    ],
    [
      "A: policy overwrite", "A: read Node 0", "B: Node 0.partner=Node 1", "B: save", "A: Node 0.partner=Node 1",
      "C: delete Node 1", "C: save", "A: save",
    ],
    // A member is added and removed again, and others add it.
    [
      "C: Node 0.tags+Tag 10", "C: Node 0.tags-Tag 10", "A: Node 0.tags+Tag 10", "A: save", "C: merge", "C: check",
    ],
    [
      "C: fetch", "C: Node 0.friends+Node 1", "C: refresh all", "C: Node 0.friends-Node 1",
      "A: Node 0.friends+Node 1", "A: save", "C: merge", "C: check",
    ],
    [
      "C: fetch", "C: read Leaf 5", "C: Leaf 5.leaders+Node 2", "C: refresh all", "C: Leaf 5.leaders-Node 2",
      "A: Node 2.followers+Leaf 5", "A: save", "C: merge", "C: check",
    ],
    // A child undoes a deletion that it has handed up, and its parent rolls it back and relates the object.
    [
      "a: undo manager", "a: automatic", "a: fetch", "a: delete Tag 11", "a: save", "a: undo", "A: rollback",
      "A: Node 2.tags+Tag 11", "A: save", "a: merge", "a: check",
    ],
    [
      "a: undo manager", "a: automatic", "a: fetch", "a: delete Node 4", "a: save", "a: undo", "A: rollback",
      "A: Node 4.items+Node 3", "A: Node 4.owner=Node 2", "A: save", "a: merge", "a: check",
    ],
    // A policy inserts an object again whose partner has been related to it anew; the lost row agrees with that already.
    [
      "A: policy overwrite", "A: Node 4.partner=Node 0", "A: save", "B: delete Node 4", "B: save",
      "A: refresh Node 0", "A: Node 0.partner=Node 4", "A: Node 4.name", "A: save",
    ],
    [
      "A: policy overwrite", "A: Node 4.firstOf=Tag 10", "A: save", "B: delete Node 4", "B: save",
      "A: refresh Tag 10", "A: Tag 10.first=Node 4", "A: Node 4.name", "A: save",
    ],
    // A policy takes back a deletion, and leaves nil at the other end, which the row has, too, until others set it.
    [
      "A: policy rollback", "A: read Node 0", "A: read Node 1", "A: read Tag 11", "A: Tag 11.first=Node 0",
      "A: delete Node 0", "B: Node 0.name", "B: save", "A: save", "B: Node 1.firstOf=Tag 11", "B: save",
      "A: Node 1.name", "A: save",
    ],
    [
      "A: policy rollback", "A: read Node 4", "A: read Node 1", "A: read Node 2", "A: Node 2.partner=Node 4",
      "A: delete Node 4", "B: Node 4.name", "B: save", "A: save", "B: Node 1.partner=Node 2", "B: save",
      "A: Node 1.name", "A: save",
    ],
    // A policy takes back a deletion that a child has handed up, and with it that of a part, which has lost its members.
    [
      "A: policy rollback", "A: Node 1.owner=Node 2", "A: Node 3.parts+Node 2", "A: save", "a: delete Node 3",
      "a: save", "B: Node 3.name", "B: save", "A: save", "A: check",
    ],
    [
      "A: policy store trump", "A: Node 1.parent=Node 2", "A: Node 3.parts+Node 2", "A: save", "a: delete Node 3",
      "a: save", "B: Node 3.name", "B: save", "A: save", "A: check",
    ],
    // The part got a member before it was deleted.
    [
      "A: policy rollback", "A: Node 3.parts+Node 2", "A: save", "a: Node 2.children+Node 1", "a: save",
      "A: delete Node 3", "B: Node 3.name", "B: Node 1.name", "B: save", "A: save", "A: check",
    ],
    [
      "A: policy rollback", "A: Node 3.parts+Node 2", "A: save", "a: Node 2.items+Node 1", "a: save",
      "A: delete Node 3", "B: Node 3.name", "B: Node 1.name", "B: save", "A: save", "A: check",
    ],
  ]

  @Test(arguments: scripts, TestStore.all) func bothEndsAgree(_ script: [String], _ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    #expect(try ContextScript.run(script, UndoGraph.coordinator(store, url: url)) == [])
  }
}
