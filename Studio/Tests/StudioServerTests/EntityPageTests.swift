import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Objects as a table: any place, any order, any predicate, all of it in the address.
@Suite struct EntityPageTests {
  private static let people = "/stores/People.sqlite/entities/Person"

  private func visit(_ people: Int = 250, _ body: @escaping @Sendable (Visitor) async throws -> Void) async throws {
    let store = try SampleStore(people: people)
    let before = try store.contents()
    try await Visitor.visit(.of(store.url), body)
    // Not a byte of the store or of its folder.
    #expect(try store.contents() == before)
  }

  private func ids(_ page: Visitor.Answer) -> [String] {
    page.text.matches(of: /<th scope="row"><a href="[^"]*">([^<]*)<\/a>/).map { String($0.1) }
  }

  @Test func aPageHasAHundredObjectsAndLeadsToTheOthers() async throws {
    try await visit { visitor in
      let first = try await visitor.get(Self.people)
      #expect(first.status == .ok)
      #expect(ids(first) == (1...100).map { "Person/p\($0)" })
      #expect(first.text.contains("<strong id=\"total\">250</strong> objects"))
      let next = try #require(first.text.firstMatch(of: /rel="next" href="([^"]+)"/))
      #expect(ids(try await visitor.get(String(next.1))) == (101...200).map { "Person/p\($0)" })
      #expect(ids(try await visitor.get(Self.people + "?from=200")).count == 50)
    }
  }

  @Test func orderPredicateAndColumnsAreInTheAddress() async throws {
    try await visit { visitor in
      let page = try await visitor.get(
        Self.people + "?where=age%20%3C%203&sort=-age%2Cname&columns=name%2Cage%2Cfriend.name%2CfriendOf.%40count")
      #expect(page.status == .ok)
      #expect(page.text.contains("<strong id=\"total\">9</strong> objects"))
      #expect(page.text.contains("friend.name") && page.text.contains("friendOf.@count"))
      let ages = page.text.matches(of: /<td class="n">([0-9]+)<\/td><td>/).map { String($0.1) }
      #expect(ages == ["2", "2", "2", "1", "1", "1", "0", "0", "0"])
      // The field shows what was asked.
      #expect(page.text.contains("value=\"age &lt; 3\""))
    }
  }

  @Test func mistakesAreShownWithTheirPlace() async throws {
    try await visit { visitor in
      for (text, words) in [("age%20%3C", "age &lt;"), ("nmae%20%3D%3D%201", "nmae"), ("name%20%3D%3D%20%22a", "name")]
      {
        let page = try await visitor.get(Self.people + "?where=\(text)")
        #expect(page.status == .badRequest)
        let caret = try #require(page.text.firstMatch(of: /<pre>([^<]*)<\/pre>/)?.1)
        #expect(caret.contains(words) && caret.contains("^"), "\(caret)")
      }
    }
  }

  @Test func suggestionsComeFromTheModel() async throws {
    try await visit { visitor in
      let answer = try await visitor.get(Self.people + "/suggestions?text=friend.na&at=9")
      #expect(
        answer.text.contains("\"text\":\"name\"") || answer.text.contains("\"text\":\"friend.name\""), "\(answer.text)")
      let mistake = try await visitor.get(Self.people + "/suggestions?text=nmae%20%3D%3D%201&at=4")
      #expect(mistake.text.contains("\"mistake\":{"))
    }
  }

  @Test func whatComesFromTheStoreIsEscapedAndSecretsAreNotShown() async throws {
    try await visit { visitor in
      for path in [Self.people, Self.people + "/rows?from=0", "/stores/People.sqlite/objects/Person/p8"] {
        let page = try await visitor.get(path)
        #expect(page.status == .ok)
        #expect(page.text.contains("&lt;script&gt;alert("), "\(path)")
        #expect(!page.text.contains("<script>alert("), "\(path)")
        #expect(!page.text.contains("secret of"), "\(path)")
      }
      let history = try await visitor.get("/stores/People.sqlite/history")
      #expect(history.text.contains("&lt;script&gt;") && !history.text.contains("<script>alert"))
      let download = try await visitor.get(Self.people + "/objects.csv")
      #expect(!download.text.contains("secret of"))
    }
  }

  @Test func downloadsHaveAllObjects() async throws {
    try await visit { visitor in
      let csv = try await visitor.get(Self.people + "/objects.csv?sort=name&columns=name")
      #expect(csv.headers[.contentDisposition]?.hasPrefix("attachment") == true)
      #expect(csv.text.split(separator: "\n").count == 251 && csv.text.hasPrefix("@id,name\n"))
      let json = try await visitor.get(Self.people + "/objects.json?where=age%20%3D%3D%205&columns=name,age")
      let rows = try #require(
        try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]])
      #expect(rows.count == 3 && rows.allSatisfy { $0["age"] as? Int == 5 })
      // A property may be named “id”, and none can be named “@id”.
      #expect(rows.allSatisfy { ($0["@id"] as? String)?.hasPrefix("Person/p") == true && $0["id"] == nil })
      #expect(try await visitor.get(Self.people + "/objects.csv?where=age%20%3C").status == .badRequest)
    }
  }

  @Test func aSlowPredicateLeadsToTheIndexThatItLacksAndThatIsTried() async throws {
    try await visit { visitor in
      let page = try await visitor.get(Self.people + "?where=age%20%3D%3D%205")
      let link = try #require(page.text.firstMatch(of: /href="([^"]*\/explain[^"]*)"/)?.1)
      let explanation = try await visitor.get(String(link).replacing("&amp;", with: "&"))
      #expect(explanation.text.contains("missing: an index of Person by age"))
      let action = try #require(explanation.text.firstMatch(of: /action="([^"]*\/index[^"]*)"/)?.1)
      let answer = try await visitor.post(
        String(action).replacing("&amp;", with: "&"), [("properties", "age")], token: visitor.token(of: explanation))
      #expect(answer.status == .seeOther)
      let trial = try await visitor.result(of: answer)
      #expect(trial.text.contains("this was tried in a copy"), "\(trial.text)")
    }
  }
}
