import ExampleSupport
import Foundation
import Testing
import ToolProcess

@testable import Blobs

/// `Blobs` as a user runs it.
@Suite struct BlobsTests {
  private static let count = 40
  private static let maker = PictureMaker(sizes: 1000...400_000)

  /// The report of a small number of pictures.
  private func report(_ arguments: String...) throws -> Report {
    let tool = try Tool(
      program: "Blobs", ["--count", "\(Self.count)", "--largest", "400000", "--json"] + arguments)
    #expect(tool.status == 0, "\(tool.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
  }

  private var sizes: [Int] { (0..<Self.count).map(Self.maker.size(of:)) }

  @Test func everyDesignFindsTheSamePictures() throws {
    let report = try report()
    #expect(report.variants.map(\.design) == Design.allCases)
    #expect(report.bytes == sizes.reduce(0, +))
    let characters = (0..<Self.count).reduce(0) { $0 + PictureMaker.title($1).count }
    let newest = (0..<Self.count).sorted { PictureMaker.date($0) > PictureMaker.date($1) }.prefix(PictureList.screen)
    for variant in report.variants {
      #expect(variant.steps.map(\.work) == Work.allCases)
      for work in [Work.titles, .titlesInBatches, .titlesAlone] {
        let found = try #require(report.step(work, variant.design)).found
        #expect(found == .init(pictures: Self.count, characters: characters), "\(variant.design) \(work)")
      }
      let thumbnails = try #require(report.step(.thumbnails, variant.design)).found
      #expect(thumbnails.bytes == Self.count * PictureMaker.thumbnail(0).count)
      let opened = try #require(report.step(.open, variant.design)).found
      #expect(opened.pictures == PictureList.screen && opened.bytes == newest.reduce(0) { $0 + sizes[$1] })
      // A copy is read with its log or without, and with the files beside.
      for work in [Work.backUp, .copy] {
        let found = try #require(report.step(work, variant.design)).found
        #expect(found.pictures == Self.count && found.bytes == report.bytes, "\(variant.design) \(work)")
      }
      #expect(try #require(report.step(.delete, variant.design)).found.pictures == Self.count / 2)
    }
  }

  @Test func statementsShowWhatAListReads() throws {
    let report = try report()
    let batches = (Self.count + PictureList.screen - 1) / PictureList.screen
    for design in Design.allCases {
      func cost(_ work: Work) throws -> Cost { try #require(report.step(work, design)).cost }
      #expect(try cost(.titles).statements == 1 && cost(.titles).rows == Self.count)
      #expect(try cost(.titlesInBatches).statements == 1 + batches && cost(.titlesInBatches).rows == 2 * Self.count)
      #expect(try cost(.titlesAlone).statements == 1 && cost(.titlesAlone).rows == Self.count)
      #expect(try cost(.thumbnails).statements == cost(.titlesInBatches).statements)
      // Behind a relationship are other rows.
      let open = try cost(.open)
      #expect(design == .entity ? open.rows == 3 * PictureList.screen : open.rows == 2 * PictureList.screen)
    }
  }

  @Test func whatIsBesideTheStoreIsCounted() throws {
    let report = try report()
    let large = sizes.count { $0 > 102_400 }
    for (design, files) in [(Design.inline, 0), (.external, large), (.entity, 0), (.files, Self.count)] {
      for work in [Work.insert, .rename, .backUp, .copy] {
        #expect(try #require(report.step(work, design)).size.files == files, "\(design) \(work)")
      }
    }
    let newest = (0..<Self.count).sorted { PictureMaker.date($0) > PictureMaker.date($1) }.prefix(Self.count / 2)
    #expect(report.step(.delete, .files)?.size.files == newest.count)
    #expect(report.step(.delete, .external)?.size.files == newest.count { sizes[$0] > 102_400 })
    // Another title writes the picture in its row once more, into the log.
    let inline = try #require(report.step(.rename, .inline)).size.log
    for design in [Design.external, .entity, .files] {
      #expect(try #require(report.step(.rename, design)).size.log < inline, "\(design)")
    }
  }

  @Test func theFileAloneIsNoCopy() throws {
    let report = try report()
    // All of the newer half that was not deleted.
    let left = (0..<Self.count).sorted { PictureMaker.date($0) > PictureMaker.date($1) }.prefix(PictureList.screen)
    for variant in report.variants {
      let readable =
        switch variant.design {
        case .inline, .entity: left.count
        case .external: left.count { sizes[$0] <= 102_400 }
        case .files: 0
        }
      #expect(variant.mistakes.tried == left.count && variant.mistakes.readable == readable, "\(variant.design)")
      #expect(variant.mistakes.orphans == (variant.design == .files ? Mistakes.givenUp : 0))
      #expect(variant.mistakes.orphansAfterStart == 0)
    }
  }

  @Test func theTableHasALineForEach() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "BlobsTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try Tool(program: "Blobs", ["--count", "20", "--largest", "20000", "--folder", folder.path])
    #expect(tool.status == 0, "\(tool.errors)")
    let table = tool.output.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    #expect(table.count == 2 + Work.allCases.count * Design.allCases.count)
    #expect(table.first?.hasPrefix("20 pictures, ") == true)
    #expect(tool.output.contains("Most memory during a list, in MB\n") && tool.output.contains("\nWhat goes wrong"))
    #expect(tool.errors.contains("] 100%  20 of 20"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func wrongArgumentsAreExplained() throws {
    let few = try Tool(program: "Blobs", ["--count", "3"])
    #expect(few.status == 64 && few.errors.contains("--count must be 20 to 20000, not 3."))
    let sizes = try Tool(program: "Blobs", ["--smallest", "5000", "--largest", "4000"])
    #expect(sizes.status == 64 && sizes.errors.contains("--largest must be 5000 (--smallest) to 50000000, not 4000."))
    let design = try Tool(program: "Blobs", ["--design", "cloud"])
    #expect(design.status == 64 && design.errors.contains("cloud"))
  }

  @Test func aPictureIsABitmapOfItsSize() {
    for number in 0..<50 {
      let picture = Self.maker.picture(number)
      #expect(picture.count == Self.maker.size(of: number) && picture.prefix(2) == Data("BM".utf8))
      #expect((500...420_000).contains(picture.count))
    }
    #expect(Self.maker.picture(7) == Self.maker.picture(7) && Self.maker.picture(7) != Self.maker.picture(8))
  }
}
