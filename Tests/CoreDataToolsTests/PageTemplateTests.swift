import CommandSupport
import Testing

@testable import CoreDataTools

struct PageTemplateTests {
  private func text(_ template: String, _ values: [String: Any], _ others: [String: String] = [:]) throws -> String {
    let templates = try others.merging(["page": template]) { $1 }.mapValues { try PageTemplate($0) }
    return try PageTemplate.text("page", values, from: templates)
  }

  @Test func valuesAreEscapedUnlessTheyAreAskedForAsTheyAre() throws {
    let values: [String: Any] = ["name": "<a href='x'>\"&", "count": 3, "time": 0.25]
    #expect(try text("{{name}}", values) == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;")
    #expect(try text("[{{{name}}}] {{count}} {{ time }}", values) == "[<a href='x'>\"&] 3 0.25")
    #expect(try text("[{{none}}]", values) == "[]")
    // A value is no template.
    #expect(try text("{{{name}}}", ["name": "{{count}}", "count": 3]) == "{{count}}")
  }

  @Test func sectionsAreWrittenForEachElement() throws {
    let people = [["name": "Ann"], ["name": "Bob"]]
    #expect(try text("{{#people}}{{name}}, {{/people}}", ["people": people]) == "Ann, Bob, ")
    #expect(try text("{{#ticks}}<{{.}}>{{/ticks}}", ["ticks": ["0", "1 ms"]]) == "<0><1 ms>")
    #expect(try text("{{#no}}a{{/no}}{{^no}}b{{/no}}", ["no": [String]()]) == "b")
    #expect(try text("{{#is}}a{{/is}}{{^is}}b{{/is}}", ["is": false]) == "b")
    #expect(try text("{{#is}}a{{/is}}{{^is}}b{{/is}}", ["is": true]) == "a")
    #expect(try text("{{#none}}a{{/none}}{{^none}}b{{/none}}", [:]) == "b")
    #expect(try text("{{#code}}[{{code}}]{{/code}}", ["code": "x"]) == "[x]")
    // What is around an element is seen from inside, behind what the element has itself.
    let nested: [String: Any] = ["title": "all", "kind": "k", "rows": [["title": "one"], [:]]]
    #expect(try text("{{#rows}}{{title}} {{kind}};{{/rows}}", nested) == "one k;all k;")
  }

  @Test func templatesNameEachOtherAndThemselves() throws {
    let tree: [String: Any] = ["name": "a", "inside": [["name": "b", "inside": [[String: Any]]()]]]
    #expect(try text("{{> node}}", tree, ["node": "({{name}}{{#inside}}{{> node}}{{/inside}})"]) == "(a(b))")
    let error = #expect(throws: ToolError.self) { try text("{{> node}}", [:]) }
    #expect("\(try #require(error))".contains("“node”"))
  }

  @Test func linesOfTagsAloneAreLeftOut() throws {
    #expect(try text("<ul>\n  {{#all}}\n<li>\n{{/all}}\n</ul>\n", ["all": [1, 2]]) == "<ul>\n<li>\n<li>\n</ul>\n")
    #expect(try text("a {{#all}}\n{{/all}} b\n", ["all": [1]]) == "a \n b\n")
    #expect(try text("a\n{{> other}}\nb", [:], ["other": "c\n"]) == "a\nc\nb")
    #expect(try text("a\n{{x}}\nb", ["x": 1]) == "a\n1\nb")
  }

  @Test(arguments: [
    ("a\n{{#x}}\nb", "Line 2 of the template begins the section “x”"), ("{{/x}}", "Line 1 of the template closes “x”"),
    ("{{#a}}\n\n{{/b}}{{/a}}", "Line 3 of the template closes “b”"),
  ])
  func aSectionThatIsNotClosedIsAnError(template: String, words: String) throws {
    let error = #expect(throws: ToolError.self) { try PageTemplate(template) }
    #expect("\(try #require(error))".contains(words))
  }
}
