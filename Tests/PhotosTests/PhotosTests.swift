import ExampleSupport
import Foundation
import Testing
import ToolProcess

@testable import Photos

/// `Photos` as a user runs it.
@Suite struct PhotosTests {
  /// All variants of a small number of photos.
  private func report(_ arguments: String...) throws -> Report {
    let tool = try Tool(program: "Photos", arguments + ["--rounds", "1", "--json"])
    #expect(tool.status == 0, "\(tool.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
  }

  @Test func everyDesignFindsTheSamePhotos() throws {
    let count = 400
    let report = try report("--count", "\(count)")
    #expect(report.count == count && report.variants.count == Design.allCases.count * Indexing.allCases.count)
    let values = (0..<count).map(PhotoValues.init(number:))
    let likes = values.map(\.likes).sorted(by: >)
    let oldest = values.sorted { $0.date < $1.date }.prefix(PhotoList.screen)
    for variant in report.variants {
      #expect(variant.steps.map(\.work) == Work.allCases)
      #expect(variant.steps.allSatisfy { $0.photos == count })
      for work in [Work.controller, .controllerInBatches, .arrayInBatches] {
        let step = try #require(variant.steps.first { $0.work == work })
        #expect(step.sections == Set(likes).count, "\(variant.design) \(variant.indexing)")
        #expect(step.likesOnScreen == likes.prefix(PhotoList.screen).reduce(0, +))
      }
      let fetch = try #require(variant.steps.first { $0.work == .fetchByDate })
      #expect(fetch.sections == nil)
      #expect(fetch.likesOnScreen == oldest.reduce(0) { $0 + $1.likes })
    }
  }

  @Test func theCompoundIndexServesTheControllerAlone() throws {
    let report = try report("--count", "300", "--design", "single", "--design", "copying")
    for design in [Design.single, .copying] {
      for work in [Work.controller, .controllerInBatches] {
        func sorted(_ indexing: Indexing) throws -> Explanation {
          let statements = try #require(report.step(work, design, indexing)).statements
          return try #require(statements.first { $0.sql.hasSuffix("ORDER BY t0.ZLIKES DESC, t0.ZDATE DESC") })
        }
        let unserved = try sorted(.none)
        #expect(unserved.indexes == [])
        #expect(unserved.missing == "missing: an index of Photo by likes, date")
        // In the order of likes, and still to be sorted within those that are liked alike.
        let half = try sorted(.single)
        #expect(half.indexes == ["Z_Photo_byLikes"])
        #expect(half.missing == "missing: an index of Photo by likes, date")
        let served = try sorted(.compound)
        #expect(served.indexes == ["Z_Photo_byLikesAndDate"] && served.missing == nil)
        #expect(!served.plan.contains { $0.contains("TEMP B-TREE") })
      }
      let sections = try #require(report.step(.controller, design, .none)).statements.last
      #expect(sections?.missing == "missing: an index of Photo by likes")
      let fetch = try #require(report.step(.fetchByDate, design, .none)).statements.first
      #expect(fetch?.missing == "missing: an index of Photo by date")
      for indexing in [Indexing.single, .compound] {
        let fetch = try #require(report.step(.fetchByDate, design, indexing)).statements.first
        #expect(fetch?.indexes == ["Z_Photo_byDate"] && fetch?.missing == nil)
      }
    }
  }

  @Test func noIndexServesSortingByAnotherEntity() throws {
    let report = try report("--count", "100", "--design", "split")
    for indexing in Indexing.allCases {
      for (work, keyPath) in [(Work.fetchByDate, "metadata.date"), (.controller, "metadata.likes")] {
        let statement = try #require(report.step(work, .split, indexing)).statements.first
        #expect(statement?.missing == "no index of Photo can have \(keyPath), which is in another table")
      }
    }
  }

  /// By statements and rows, which do not depend on the machine.
  @Test func batchesReadTheScreenAlone() throws {
    let report = try report("--count", "500", "--design", "single", "--indexes", "compound")
    let sections = try #require(report.variants[0].steps[2].sections)
    let whole = try #require(report.step(.controller, .single, .compound)).cost
    #expect(whole.statements == 2 && whole.rows == 500 + sections)
    // Keys, sections, and a page of thirty.
    let pages = try #require(report.step(.controllerInBatches, .single, .compound)).cost
    #expect(pages.statements == 3 && pages.rows == 500 + sections + 30)
    // The array of a result in batches reads the page of the object that is taken out of it.
    let array = try #require(report.step(.arrayInBatches, .single, .compound)).cost
    #expect(array.statements == pages.statements && array.rows == pages.rows)
  }

  @Test func theTableHasALineForEachAndNamesTheIndex() throws {
    let tool = try Tool(program: "Photos", ["--count", "50", "--design", "single", "--rounds", "1"])
    #expect(tool.status == 0, "\(tool.errors)")
    let lines = tool.output.split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.prefix { !$0.isEmpty }
    #expect(table.count == 2 + Work.allCases.count * Indexing.allCases.count)
    #expect(table.first?.hasPrefix("50 photos") == true)
    #expect(tool.output.contains("-> served by Z_Photo_byLikesAndDate; none is missing"))
    #expect(tool.output.contains("-> no index serves it; missing: an index of Photo by likes, date"))
    #expect(tool.errors.contains("] 100%  50 of 50"))
  }

  @Test func storesAreKeptWhereToldAndNeverOverwritten() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "PhotosTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ["--count", "10", "--design", "single", "--folder", folder.path, "--json"]
    #expect(try Tool(program: "Photos", arguments).status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "single-compound.sqlite").path))
    let again = try Tool(program: "Photos", arguments)
    #expect(again.status == 1 && again.output.isEmpty)
    #expect(again.errors.contains("There is a store in \(folder.path) already"), "\(again.errors)")
  }

  @Test func wrongArgumentsAreExplained() throws {
    let none = try Tool(program: "Photos", ["--count", "0"])
    #expect(none.status == 64 && none.errors.contains("--count must be 1 to 1000000, not 0."))
    let design = try Tool(program: "Photos", ["--design", "cubist"])
    #expect(design.status == 64 && design.errors.contains("cubist"))
    let help = try Tool(program: "Photos", ["--help"])
    #expect(help.status == 0 && help.output.contains("(default: 10000)"), "\(help.output)")
  }
}
