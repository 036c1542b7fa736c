import Foundation
import Testing
import ToolProcess

/// `coredata model show` and `hashes`.
@Suite struct ShowTests {
  private let files: ModelFiles
  private let model: String

  init() throws {
    files = try ModelFiles()
    model = try files.model(named: "Music", ModelFiles.music)
  }

  @Test func tables() throws {
    let tool = try Tool("model", "show", model)
    #expect(tool.status == 0, "\(tool.errors)")
    let text = tool.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(
      text == """

        Album  (class Album, abstract)
          Attribute  Type        Optional  Default     Constraints
          ---------  ----------  --------  ----------  -----------
          title      String      no        "Untitled"  min length 1
          year       Integer 16  yes
          Relationship  Destination  Inverse  Count  Optional  Delete rule  Notes
          ------------  -----------  -------  -----  --------  -----------  -----
          tracks        Track        album    0...*  yes       Cascade      ordered
          Index   Elements
          ------  --------
          byYear  year descending
          Unique: (title, year)

        Live: Album  (class Live)
          Attribute  Type    Optional  Notes
          ---------  ------  --------  -----
          place      String  yes       renaming identifier town

        Track  (class Track)
          Attribute  Type           Optional  Notes
          ---------  -------------  --------  -----
          artwork    Transformable  yes       class NSArray, transformer NSSecureUnarchiveFromData
          Relationship  Destination  Inverse  Count  Optional  Delete rule
          ------------  -----------  -------  -----  --------  -----------
          album         Album        tracks   1      no        Nullify
          Fetched property  Entity  Predicate
          ----------------  ------  ---------
          same              Track   album == $FETCH_SOURCE.album

        Configuration  Entities
        -------------  --------
        Cloud          Track

        Fetch request  Entity  Limit  Predicate
        -------------  ------  -----  ---------
        recent         Album   5      year > $YEAR

        """)
  }

  @Test func jsonIsTheSameForEveryForm() throws {
    let source = try Tool("model", "show", model, "--format", "json").json()
    #expect(source["form"] as? String == "source")
    let entities = try #require(source["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Album", "Live", "Track"])
    #expect(entities[1]["superentity"] as? String == "Album")
    _ = try Tool("model", "compile", model, "-o", files.folder.path)
    for (path, form) in [
      (model + "/contents", "source"), (files.path("Music.mom"), "compiled"), (try files.store(of: model), "store"),
    ] {
      let tool = try Tool("model", "show", path, "--format", "json")
      #expect(tool.status == 0, "\(tool.errors)")
      let other = try tool.json()
      #expect(other["form"] as? String == form)
      #expect(other["checksum"] as? String == source["checksum"] as? String)
      let names = try #require(other["entities"] as? [[String: Any]]).map { $0["name"] as? String }
      #expect(names == ["Album", "Live", "Track"])
    }
  }

  @Test func graph() throws {
    let tool = try Tool("model", "show", model, "--format", "dot")
    #expect(tool.output.hasPrefix("digraph model {\n"))
    #expect(tool.output.contains(#""Live" -> "Album" [arrowhead=empty];"#))
    #expect(
      tool.output.contains(
        #""Album" -> "Track" [arrowhead=crow, headlabel="tracks", dir=both, arrowtail=vee, taillabel="album"];"#))
    // An inverse is the same edge.
    #expect(!tool.output.contains(#""Track" -> "Album""#))
  }

  @Test func hashesOfAModelAreThoseOfItsStore() throws {
    let ours = try Tool("model", "hashes", model, "--json").json()
    let stored = try Tool("model", "hashes", try files.store(of: model), "--json").json()
    for key in ["checksum", "digest"] { #expect(ours[key] as? String == stored[key] as? String) }
    #expect(ours["entities"] as? [[String: String]] == stored["entities"] as? [[String: String]])
    let album = try #require((ours["entities"] as? [[String: String]])?.first)
    #expect(Data(base64Encoded: album["base64"] ?? "")?.map { String(format: "%02x", $0) }.joined() == album["hex"])
    let text = try Tool("model", "hashes", model)
    #expect(text.output.contains("Album   \(album["hex"] ?? "-")\n"))
    #expect(text.output.contains("Checksum  \(ours["checksum"] as? String ?? "-")\n"))
  }

  @Test func wrongInputIsExplained() throws {
    let expected = "Expected a .xcdatamodeld, a .xcdatamodel or its contents file, a .momd or .mom, or a SQLite store."
    try Data("no model".utf8).write(to: files.folder.appending(path: "notes.txt"))
    try Data("no store".utf8).write(to: files.folder.appending(path: "notes.sqlite"))
    for (name, reason) in [
      ("notes.txt", "not well-formed XML"), ("notes.sqlite", "does not begin as a SQLite database does"),
      ("nothing.mom", "There is no such file."), ("", "none of .xcdatamodeld, .xcdatamodel and .momd"),
    ] {
      let tool = try Tool("model", "show", files.path(name))
      #expect(tool.status == 1)
      #expect(tool.output.isEmpty)
      #expect(tool.errors.contains(reason) && tool.errors.contains(expected), "\(tool.errors)")
      #expect(tool.errors.contains(files.path(name)))
    }
    #expect(try Tool("model", "show").status == 64)
    #expect(try Tool("model", "show", model, "--format", "xml").status == 64)
  }
}
