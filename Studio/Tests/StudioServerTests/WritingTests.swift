import CoreData
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Objects are changed in forms, made and deleted, and saved together.
@Suite struct WritingTests {
  @Test func withoutTheWishToWriteNothingIsWritten() async throws {
    let store = try LibraryStore()
    try await Visitor.visit(.of(store.url)) { visitor in
      let base = "/stores/Library.sqlite"
      let page = try await visitor.get("\(base)/objects/Book/p1")
      #expect(page.status == .ok && !page.text.contains("/edit\"") && !page.text.contains("/changes"))
      let token = try visitor.token(of: try await visitor.get(base))
      for path in [
        "objects/Book/p1/edit", "objects/Book/p1/delete", "entities/Book/new", "changes/save", "changes/undo",
      ] {
        let sent = try await visitor.post("\(base)/\(path)", [("v:title", "New")], token: token)
        #expect(sent.status == .forbidden && sent.text.contains("--write"), "\(path)")
      }
      #expect(try await visitor.get("\(base)/changes").status == .forbidden)
    }
    #expect(try store.value("title", of: "New") == nil)
  }

  @Test func formsNeedTheirToken() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let answer = try await visit.visitor.post(path, [("v:title", "New"), ("w:title", "Book 1.1")], token: nil)
      #expect(answer.status == .forbidden)
    }
  }

  @Test func valuesOfEveryTypeAreChangedAndSavedTogether() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let answer = try await visit.send(
        path,
        [
          "v:title": "New", "v:pages": "321", "v:price": "12.50", "v:weight": "0.75", "v:isRead": "true",
          "v:published": "2026-01-31T12:30:15.5", "v:code": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
          "v:site": "https://example.org/a?b=c&d", "v:summary": "one\r\ntwo", "n:summary": nil, "v:kind": "poems",
          "v:password": "other",
        ])
      #expect(answer.status == .seeOther, "\(answer.text)")
      // Not yet.
      #expect(try visit.store.value("title", of: "New") == nil)
      let changes = try await visit.visitor.get(EditVisit.changes)
      #expect(changes.text.contains("Changes (1)") && changes.text.contains("2026-01-31T12:30:15.5Z"))
      #expect(!changes.text.contains(">other<") && changes.text.contains("marked secret, not shown"))
      #expect(try await visit.act("save").headers[.location]?.contains("saved") == true)
      try visit.store.with { context in
        let book = try #require(try LibraryStore.book("New", context))
        #expect(book.value(forKey: "pages") as? Int == 321)
        #expect((book.value(forKey: "price") as? NSDecimalNumber)?.decimalValue == Decimal(string: "12.5"))
        #expect(book.value(forKey: "weight") as? Double == 0.75 && book.value(forKey: "isRead") as? Bool == true)
        #expect((book.value(forKey: "code") as? UUID)?.uuidString == "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")
        #expect((book.value(forKey: "site") as? URL)?.absoluteString == "https://example.org/a?b=c&d")
        #expect(
          book.value(forKey: "summary") as? String == "one\ntwo" && book.value(forKey: "kind") as? String == "poems")
        #expect(book.value(forKey: "password") as? String == "other")
      }
      // Pages that read see it.
      #expect(try await visit.visitor.get(path.replacing("/edit", with: "")).text.contains("New"))
      let history = try await visit.visitor.get("/stores/Library.sqlite/history")
      #expect(history.text.contains("studio"))
    }
  }

  @Test func whatNobodyHasTypedStaysAsItIs() async throws {
    try await EditVisit.visit { visit in
      let answer = try await visit.send(try visit.edit("Book 1.2"), [:])
      #expect(answer.status == .seeOther)
      #expect(try await visit.visitor.get(EditVisit.changes).text.contains("There are no unsaved changes"))
      // The form shows milliseconds; the date keeps its other digits.
      #expect((try visit.store.value("published", of: "Book 1.2") as? Date)?.timeIntervalSinceReferenceDate == 0.123456)
    }
  }

  @Test func mistakesAreSaidBesideTheirFieldsAndNothingIsTakenOver() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let mistakes = [
        ("pages", "many", "Expected a whole number such as 42, found “many”."),
        ("pages", "99999", "from -32768 to 32767"),
        ("pages", "0", "pages is too small."), ("price", "1,5", "Expected a decimal number"),
        ("weight", "heavy", "Expected a number"), ("published", "soon", "Expected a date and a time in UTC"),
        ("code", "1", "Expected a UUID"), ("isRead", "perhaps", "Expected yes or no"), ("kind", "drama", "kind"),
        ("author", "", "author is a required value."),
        ("author", "Tag/p1", "Expected an object of Author, found Tag/p1."),
        ("author", "Author/p77", "There is no object Author/p77 in the store."),
        ("author", "me", "Expected an object such as"),
      ]
      for (name, typed, words) in mistakes {
        let answer = try await visit.send(path, ["v:\(name)": typed, "v:title": "Half done"])
        #expect(answer.status == .unprocessableContent, "\(name) \(typed)")
        let problem = answer.text.firstMatch(of: try Regex("id=\"field-\(name)-problem\">([^<]*)<"))?[1].substring
        #expect(
          problem.map { EditVisit.unescaped(String($0)) }?.contains(words) == true, "\(name) \(typed): \(problem ?? "")"
        )
        // Said once more above, with a link to the field, which is marked.
        #expect(answer.text.contains("<a href=\"#field-\(name)\">\(name)</a>"), "\(name) \(typed)")
        #expect(answer.text.contains("aria-invalid=\"true\""), "\(name) \(typed)")
        // What was typed is kept.
        #expect(answer.text.contains("Half done"))
        if !typed.isEmpty { #expect(answer.text.contains("value=\"\(typed)\""), "\(name) \(typed)") }
      }
      #expect(try await visit.visitor.get(EditVisit.changes).text.contains("There are no unsaved changes"))
    }
  }

  @Test func secretsAreSetAndNeverShown() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      #expect(!(try await visit.visitor.get(path)).text.contains("secret of"))
      let failed = try await visit.send(path, ["v:password": "typed secret", "v:pages": "x"])
      #expect(!failed.text.contains("typed secret") && !failed.text.contains("secret of"))
      _ = try await visit.send(path, ["n:password": "1"])
      _ = try await visit.act("save")
      #expect(try visit.store.value("password", of: "Book 1.1") == nil)
    }
  }

  @Test func anOldPageDoesNotOverwriteWhatAnotherWindowHasSet() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let old = try await visit.visitor.get(path)
      _ = try await visit.send(path, ["v:pages": "7"])
      // Another field of the old page: both are kept.
      #expect(try await visit.send(path, ["v:kind": "poems"], opened: old).status == .seeOther)
      let refused = try await visit.send(path, ["v:pages": "8"], opened: old)
      #expect(
        refused.status == .unprocessableContent && refused.text.contains("Meanwhile somebody else has set it to “7”"))
      // Whoever has seen that may replace it.
      #expect(try await visit.send(path, [:], opened: refused).status == .seeOther)
      _ = try await visit.act("save")
      #expect(try visit.store.value("pages", of: "Book 1.1") as? Int == 8)
      #expect(try visit.store.value("kind", of: "Book 1.1") as? String == "poems")
    }
  }

  @Test func formsAreUndoneAndRedoneOneByOneAndDiscarded() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      _ = try await visit.send(path, ["v:pages": "7", "v:title": "Seven"])
      _ = try await visit.send(path, ["v:pages": "8"])
      func pages() async throws -> String? {
        let fields = try visit.fields(try await visit.visitor.get(path))
        return fields.first { $0.0 == "v:pages" }?.1
      }
      _ = try await visit.act("undo")
      #expect(try await pages() == "7")
      _ = try await visit.act("undo")
      #expect(try await pages() == "100")
      #expect(try await visit.visitor.get(EditVisit.changes).text.contains("There are no unsaved changes"))
      _ = try await visit.act("redo")
      _ = try await visit.act("redo")
      #expect(try await pages() == "8")
      _ = try await visit.act("discard")
      #expect(try await pages() == "100")
      #expect(try visit.store.value("pages", of: "Book 1.1") as? Int == 100)
    }
  }

  @Test func objectsAreMadeWithTheirDefaultsAndRelatedToEachOther() async throws {
    try await EditVisit.visit { visit in
      let form = "/stores/Library.sqlite/entities/Book/new"
      let page = try await visit.visitor.get(form)
      #expect(try visit.fields(page).contains { $0 == ("v:pages", "1") })
      let refused = try await visit.send(form, ["v:title": "Fresh", "v:pages": "0"])
      #expect(refused.status == .unprocessableContent && refused.text.contains("too small"))
      // Its author may be given later.
      let answer = try await visit.send(form, ["v:title": "Fresh", "a:tags": "Tag/p1, p2"])
      let made = try #require(answer.headers[.location]?.split(separator: "?").first).description
      #expect(made.hasSuffix("/objects/Book/new1/edit"))
      let failed = try await visit.act("save")
      #expect(failed.status == .unprocessableContent && failed.text.contains("author is a required value."))
      let author = try await visit.send(
        "/stores/Library.sqlite/entities/Author/new", ["v:name": "Newcomer", "n:name": nil])
      #expect(author.headers[.location]?.contains("/Author/new2/") == true)
      #expect(try await visit.send(made, ["v:author": "Author/new2", "r:tags": "Tag/p1"]).status == .seeOther)
      #expect(try await visit.act("save").status == .seeOther)
      try visit.store.with { context in
        let book = try #require(try LibraryStore.book("Fresh", context))
        #expect((book.value(forKey: "author") as? NSManagedObject)?.value(forKey: "name") as? String == "Newcomer")
        #expect((book.value(forKey: "tags") as? NSSet)?.count == 1 && book.value(forKey: "pages") as? Int == 1)
      }
      // The old address leads to the saved object.
      let moved = try await visit.visitor.get(made)
      #expect(moved.headers[.location]?.contains(try visit.store.path(of: "Fresh")) == true)
    }
  }

  @Test func whatADeletionTakesAlongIsShownFirst() async throws {
    try await EditVisit.visit { visit in
      let author = "/stores/Library.sqlite/objects/Author/p2/delete"
      let preview = try await visit.visitor.get(author)
      #expect(
        preview.text.contains("2 objects of Book") && preview.text.contains("Delete 3 objects"), "\(preview.text)")
      let mark = try #require(preview.text.firstMatch(of: /name="mark" value="([^"]*)"/)).1
      let token = try visit.visitor.token(of: preview)
      // Something else than was shown is shown again.
      let other = try await visit.visitor.post(author, [("mark", "x")], token: token)
      #expect(other.status == .conflict && other.text.contains("look again"))
      #expect(try await visit.visitor.post(author, [("mark", String(mark))], token: token).status == .seeOther)
      #expect(try visit.store.count("Book") == 4)
      _ = try await visit.act("save")
      #expect(try visit.store.count("Book") == 2 && visit.store.count("Author") == 1)
    }
  }

  @Test func whatTheModelDeniesIsNotDeleted() async throws {
    try await EditVisit.visit { visit in
      // A book that is lent out, and its author, who would take it along.
      for path in [try visit.store.path(of: "Book 1.1"), "Author/p1"] {
        let delete = "/stores/Library.sqlite/objects/\(path)/delete"
        let preview = try await visit.visitor.get(delete)
        #expect(preview.status == .conflict && preview.text.contains("denies deletion"), "\(preview.text)")
        let token = try visit.visitor.token(of: try await visit.visitor.get("/stores/Library.sqlite"))
        #expect(try await visit.visitor.post(delete, [("mark", "")], token: token).status == .conflict)
      }
      #expect(try await visit.visitor.get(EditVisit.changes).text.contains("There are no unsaved changes"))
    }
  }

  @Test func elementsOfACompositeAttributeHaveFieldsOfTheirOwn() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let mistaken = try await visit.send(path, ["v:size.height": "tall", "v:size.width": "12.5"])
      #expect(mistaken.status == .unprocessableContent && mistaken.text.contains("#field-size.height"))
      let sent = try await visit.send(path, ["v:size.height": "20", "v:size.width": "12.5"])
      #expect(sent.status == .seeOther, "\(sent.text)")
      _ = try await visit.act("save")
      let size = try visit.store.value("size", of: "Book 1.1") as? [String: Any]
      #expect(size?["height"] as? Double == 20 && size?["width"] as? Double == 12.5)
      // One element is changed, and the other one stays.
      #expect(try await visit.send(path, ["v:size.height": ""]).status == .seeOther)
      _ = try await visit.act("save")
      let narrow = try visit.store.value("size", of: "Book 1.1") as? [String: Any]
      #expect(narrow?["height"] == nil && narrow?["width"] as? Double == 12.5)
    }
  }

  @Test func filesAreTakenAsBytesUpToALimit() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.1")
      let bytes = Data([0, 13, 10, 45, 45, 255]) + SampleStore.picture
      let page = try await visit.visitor.get(path)
      let fields = try visit.fields(page)
      let answer = try await visit.visitor.upload(path, fields, file: ("f:cover", bytes))
      #expect(answer.status == .seeOther, "\(answer.text)")
      _ = try await visit.act("save")
      #expect(try visit.store.value("cover", of: "Book 1.1") as? Data == bytes)
      let large = try await visit.visitor.upload(path, fields, file: ("f:cover", Data(count: 17 << 20)))
      #expect(large.status == .contentTooLarge)
      #expect(try await visit.visitor.get(path).status == .ok)
    }
  }

  @Test func namesAndValuesAreEscaped() async throws {
    try await EditVisit.visit { visit in
      _ = try await visit.send(try visit.edit("Book 1.1"), ["v:title": SampleStore.hostile])
      for path in [
        EditVisit.changes, "/stores/Library.sqlite/objects/Book/p1/edit", "/stores/Library.sqlite/entities/Loan/new",
      ] {
        let page = try await visit.visitor.get(path)
        #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>alert"), "\(path)")
      }
    }
  }
}
