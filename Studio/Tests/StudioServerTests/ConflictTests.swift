import CoreData
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Another program writes the store while objects are changed here.
@Suite struct ConflictTests {
  /// Changes the first book here and there, and tries to save.
  private func conflict(
    _ visit: EditVisit, here: [String: String?], there: @Sendable (NSManagedObjectContext, NSManagedObject) -> Void
  ) async throws -> Visitor.Answer {
    let path = try visit.edit("Book 1.2")
    #expect(try await visit.send(path, here).status == .seeOther)
    try visit.store.write { there($0, try #require(try LibraryStore.book("Book 1.2", $0))) }
    let answer = try await visit.act("save")
    #expect(answer.headers[.location] == EditVisit.changes + "/conflict", "\(answer.text)")
    return try await visit.visitor.get(EditVisit.changes + "/conflict")
  }

  private func version(_ page: Visitor.Answer) throws -> (String, String) {
    let match = try #require(page.text.firstMatch(of: /name="(version:[^"]*)" value="([0-9]*)"/))
    return (String(match.1), String(match.2))
  }

  private func picks(_ page: Visitor.Answer, _ choices: [String: String]) -> [(String, String)] {
    let names = Set(page.text.matches(of: /name="(pick:[^"]*)"/).map { String($0.1) })
    return names.sorted().compactMap { name in
      name.split(separator: ":").last.flatMap { choices[String($0)] }.map { (name, $0) }
    }
  }

  @Test func bothVersionsAreShownAndWhatIsChosenIsSaved() async throws {
    try await EditVisit.visit { visit in
      let page = try await conflict(visit, here: ["v:pages": "7", "v:kind": "poems", "v:weight": "2"]) { _, book in
        book.setValue(9, forKey: "pages")
        book.setValue(3.5, forKey: "weight")
        book.setValue("theirs", forKey: "summary")
        book.setValue("their secret", forKey: "password")
      }
      for text in ["200", "7", "9", "theirs", "poems", "3.5"] {
        #expect(page.text.contains("> \(text)<") || page.text.contains(">\(text)<"), "\(text)")
      }
      #expect(!page.text.contains("their secret"))
      // Without a choice nothing is saved.
      #expect(try await visit.act("resolve", [try version(page)]).status == .unprocessableContent)
      let choices = ["pages": "mine", "weight": "theirs", "summary": "theirs", "kind": "mine", "password": "theirs"]
      let answer = try await visit.act("resolve", [try version(page)] + picks(page, choices))
      #expect(answer.headers[.location]?.contains("saved") == true, "\(answer.text)")
      try visit.store.with { context in
        let book = try #require(try LibraryStore.book("Book 1.2", context))
        #expect(book.value(forKey: "pages") as? Int == 7 && book.value(forKey: "weight") as? Double == 3.5)
        #expect(
          book.value(forKey: "summary") as? String == "theirs" && book.value(forKey: "kind") as? String == "poems")
        #expect(book.value(forKey: "password") as? String == "their secret")
      }
    }
  }

  @Test func aChoiceHoldsForTheVersionsThatWereShown() async throws {
    try await EditVisit.visit { visit in
      let page = try await conflict(visit, here: ["v:pages": "7"]) { _, book in book.setValue(9, forKey: "pages") }
      try visit.store.write { try LibraryStore.book("Book 1.2", $0)?.setValue(11, forKey: "pages") }
      let fields = [try version(page)] + picks(page, ["pages": "mine"])
      let answer = try await visit.act("resolve", fields)
      #expect(answer.headers[.location] == EditVisit.changes + "/conflict")
      #expect(try visit.store.value("pages", of: "Book 1.2") as? Int == 11)
      let next = try await visit.visitor.get(EditVisit.changes + "/conflict")
      #expect(next.text.contains("> 11<"))
      let last = try await visit.act("resolve", [try version(next)] + picks(next, ["pages": "mine"]))
      #expect(last.headers[.location]?.contains("saved") == true)
      #expect(try visit.store.value("pages", of: "Book 1.2") as? Int == 7)
    }
  }

  @Test(arguments: ["keep", "delete"]) func anObjectThatTheOtherProgramHasDeletedIsACaseOfItsOwn(choice: String)
    async throws
  {
    try await EditVisit.visit { visit in
      let page = try await conflict(visit, here: ["v:pages": "7"]) { context, book in context.delete(book) }
      #expect(page.text.contains("The other program has deleted it"))
      let version = try version(page)
      let whole = version.0.replacing("version:", with: "whole:")
      let answer = try await visit.act("resolve", [version, (whole, choice)])
      #expect(answer.headers[.location]?.contains("saved") == true, "\(answer.text)")
      #expect(try visit.store.value("pages", of: "Book 1.2") as? Int == (choice == "keep" ? 7 : nil))
    }
  }

  @Test(arguments: ["keep", "delete"]) func anObjectThatIsDeletedHereAndChangedThereToo(choice: String) async throws {
    try await EditVisit.visit { visit in
      let path = "/stores/Library.sqlite/objects/\(try visit.store.path(of: "Book 1.2"))/delete"
      let preview = try await visit.visitor.get(path)
      let mark = try #require(preview.text.firstMatch(of: /name="mark" value="([^"]*)"/)).1
      let token = try visit.visitor.token(of: preview)
      #expect(try await visit.visitor.post(path, [("mark", String(mark))], token: token).status == .seeOther)
      try visit.store.write { try LibraryStore.book("Book 1.2", $0)?.setValue(9, forKey: "pages") }
      _ = try await visit.act("save")
      let page = try await visit.visitor.get(EditVisit.changes + "/conflict")
      #expect(page.text.contains("It is deleted here"), "\(page.text)")
      let version = try version(page)
      let answer = try await visit.act("resolve", [version, (version.0.replacing("version:", with: "whole:"), choice)])
      #expect(answer.headers[.location]?.contains("saved") == true, "\(answer.text)")
      #expect(try visit.store.value("pages", of: "Book 1.2") as? Int == (choice == "keep" ? 9 : nil))
    }
  }

  @Test func whatAnotherProgramWroteBeforeTheFormIsSeen() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.2")
      let old = try await visit.visitor.get(path)
      try visit.store.write { try LibraryStore.book("Book 1.2", $0)?.setValue(9, forKey: "pages") }
      let page = try await visit.visitor.get(path)
      #expect(try visit.fields(page).contains { $0 == ("v:pages", "9") })
      let refused = try await visit.send(path, ["v:pages": "8"], opened: old)
      #expect(refused.status == .unprocessableContent && refused.text.contains("set it to “9”"))
    }
  }

  @Test func aStoreThatWasRemovedKeepsTheChangesAndTheStudioRunning() async throws {
    try await EditVisit.visit { visit in
      let path = try visit.edit("Book 1.2")
      _ = try await visit.send(path, ["v:pages": "7"])
      let (aside, url) = (visit.store.folder.appendingPathComponent("Aside.sqlite"), visit.store.url)
      try FileManager.default.moveItem(at: url, to: aside)
      let page = try await visit.visitor.get(EditVisit.changes)
      let token = try visit.visitor.token(of: page)
      let answer = try await visit.visitor.post(EditVisit.changes + "/save", [], token: token)
      #expect(
        answer.status == .serviceUnavailable && answer.text.contains("the changes are still here"), "\(answer.text)")
      #expect(answer.text.contains(">7<"))
      try FileManager.default.moveItem(at: aside, to: url)
      let saved = try await visit.visitor.post(EditVisit.changes + "/save", [], token: token)
      #expect(saved.headers[.location]?.contains("saved") == true, "\(saved.text)")
      #expect(try visit.store.value("pages", of: "Book 1.2") as? Int == 7)
    }
  }

  /// A constraint of uniqueness is looked at by the save: another object may have had the values all along.
  @Test func valuesThatMustBeUniqueAreNamedWithTheObjectThatHasThem() async throws {
    try await EditVisit.visit { visit in
      let sent = try await visit.send("/stores/Library.sqlite/entities/Tag/new", ["v:name": "old", "n:name": nil])
      #expect(sent.status == .seeOther, "\(sent.text)")
      let answer = try await visit.act("save")
      #expect(answer.status == .unprocessableContent, "\(answer.status) \(answer.text)")
      #expect(answer.text.contains("Tag/new1") && answer.text.contains("name"), "\(answer.text)")
      #expect(answer.text.contains("Tag/p"), "\(answer.text)")
      let changes = try await visit.visitor.get(EditVisit.changes)
      #expect(changes.text.contains("Changes (1)"), "\(changes.text)")
    }
  }

  @Test func aStoreThatIsLockedIsSavedLater() async throws {
    try await EditVisit.visit { visit in
      _ = try await visit.send(try visit.edit("Book 1.2"), ["v:pages": "7"])
      let token = try visit.visitor.token(of: try await visit.visitor.get(EditVisit.changes))
      let locker = try Locker(visit.store.url)
      let answer = try await visit.visitor.post(EditVisit.changes + "/save", [], token: token)
      #expect(answer.status == .serviceUnavailable && answer.text.contains("locked"), "\(answer.text)")
      locker.end()
      let saved = try await visit.visitor.post(EditVisit.changes + "/save", [], token: token)
      #expect(saved.headers[.location]?.contains("saved") == true, "\(saved.text)")
    }
  }
}

/// Another program that has begun to write.
private final class Locker {
  private let process = Process()
  private let input = Pipe()

  init(_ url: URL) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], isolation_level=None)
      connection.execute("BEGIN IMMEDIATE")
      print("locked", flush=True)
      sys.stdin.read()
      """, url.path,
    ]
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    _ = output.fileHandleForReading.availableData
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
