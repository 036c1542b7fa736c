import CoreData
import Testing

/// What a policy takes or takes back at one end of a relationship to one object, the other ends follow: cases that the
/// random ones (`PolicyEndsFuzzTests`) have found.
@Suite struct PolicyEndsTests {
  static let scripts: [[String]] = [
    // A policy takes one end back to a row, and the other end is set here.
    [
      "policy rollback", "there: Tag 10.first=Node 1", "there: save", "here: Node 0.firstOf=Tag 10",
      "there: Node 1.whole=Node 2", "there: save", "here: save",
    ],
    [
      "policy store trump", "there: Tag 11.name", "there: save", "here: read Tag 11", "here: Node 0.whole=Node 1",
      "there: Tag 11.first=Node 1", "there: Node 1.partner=Node 2", "there: save", "here: Node 2.partner=Node 2",
      "here: save",
    ],
    // A value was set to what the row said; the row says something else when the other end is set.
    [
      "policy object trump", "here: read Tag 10", "here: Tag 11.first=nil", "there: Tag 11.first=Node 0", "there: save",
      "here: Tag 10.first=Node 0", "here: save",
    ],
    // One end was set to an object that others have deleted.
    [
      "policy object trump", "there: Tag 11.first=Node 3", "there: save", "here: read Tag 11",
      "here: Tag 10.first=Node 3", "here: Tag 11.first=Node 0", "there: delete Tag 10", "there: save", "here: save",
    ],
  ]

  @Test(arguments: scripts, TestStore.all) func bothEndsAgree(_ script: [String], _ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    #expect(try PolicyScript.run(script, UndoGraph.coordinator(store, url: url)) == [])
  }
}
