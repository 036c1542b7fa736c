import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// What a store holds does nothing in a browser, and what is secret is in no page.
@Suite struct HostileContentTests {
  @Test func hostileNamesOfFilesAndValuesAreEscaped() async throws {
    let name = #"<img src=x onerror=alert(1)> "'&?#%25{{key}}.sqlite"#
    let names = [
      SampleStore.hostile, #"" onmouseover="alert(1)"#, "\u{202E}gnp.exe", "a\u{0}b\u{1}\u{7F}", "{{{token}}}",
      "</table></main>",
      String(repeating: "long ", count: 5_000), "javascript:alert(1)", "&lt;b&gt;",
    ]
    let store = try SampleStore(people: 12, name: name, names: names)
    try await Visitor.visit(.of(store.url)) { visitor in
      let base = Link.store(name)
      let overview = try await visitor.get(base)
      #expect(overview.status == .ok)
      let token = try visitor.token(of: overview)
      let pages =
        [
          base, base + "/entities", base + "/entities/Person", base + "/history", base + "/entities/Person/explain",
          base + "/entities/Person/rows",
        ] + (1...names.count).flatMap { [base + "/objects/Person/p\($0)", base + "/objects/Person/p\($0)/referrers"] }
      for path in pages {
        let page = try await visitor.get(path)
        #expect(page.status == .ok, "\(path) \(page.text)")
        #expect(!page.text.contains("<img src=x") && !page.text.contains("<script>alert"), "\(path)")
        #expect(!page.text.contains("</table></main>") && !page.text.contains("\" onmouseover=\""), "\(path)")
        // The token stands in forms alone: a value in braces is no part of a template.
        #expect(page.text.replacing("value=\"\(token)\"", with: "").contains(token) == false, "\(path)")
      }
      let action = try #require(overview.text.firstMatch(of: /action="([^"]+verify)"/)?.1)
      let result = try await visitor.result(of: visitor.post(String(action), [], token: token))
      #expect(result.text.contains("sound"), "\(result.text)")
    }
  }

  @Test func secretsAreInNoPageAndNoFile() async throws {
    let store = try SampleStore(people: 5)
    try await Visitor.visit(.of(store.url)) { visitor in
      let base = "/stores/People.sqlite"
      for path in [
        "/entities/Person", "/entities/Person?columns=password,friend.password,friendOf.@max.password",
        "/entities/Person/rows?columns=friend.password",
        "/entities/Person/objects.csv?columns=name,password,friend.password",
        "/entities/Person/objects.json?columns=name,password,friend.password",
        "/entities/Person/explain?columns=password",
        "/entities/Person/suggestions?text=password%20%3D%3D%20&at=12", "/objects/Person/p1",
        "/objects/Person/p1/data/password",
        "/history",
      ] {
        let page = try await visitor.get(base + path)
        #expect(!page.text.contains("secret of"), "\(path)")
      }
      let file = try await visitor.get(base + "/entities/Person/objects.csv?columns=name,password")
      #expect(file.text.contains("Person 1"), "\(file.text)")
    }
  }
}
