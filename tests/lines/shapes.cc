// SPDX-License-Identifier: GPL-2.0-only
/* Much that compilers inline: templates, lambdas, containers, members, local classes, exceptions. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace shapes
{

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
	double scaled(double factor) const { return area() * factor * factor; }
};

template <int Corners> struct Polygon : Shape {
	double side;
	explicit Polygon(double length) : side(length) {}
	double apothem() const { return side / (2 * std::tan(M_PI / Corners)); }
	double area() const override { return Corners * side * apothem() / 2; }
};

struct Circle : Shape {
	double radius;
	explicit Circle(double length) : radius(length) {}
	static double square(double x) { return x * x; }
	double area() const override { return M_PI * square(radius); }
};

namespace
{

inline double weigh(const Shape &shape, double factor)
{
	struct Local {
		static double clamp(double x) { return x > 1e6 ? std::sqrt(x) : x; }
	};
	return Local::clamp(shape.scaled(factor));
}

} // namespace

double sum(const std::vector<std::unique_ptr<Shape>> &shapes, double factor)
{
	return std::accumulate(shapes.begin(), shapes.end(), 0.0,
			       [factor](double so_far, const std::unique_ptr<Shape> &shape) {
				       return so_far + weigh(*shape, factor);
			       });
}

std::map<std::string, double> index(const std::vector<std::unique_ptr<Shape>> &shapes)
{
	std::map<std::string, double> areas;

	for (const auto &shape : shapes) {
		try {
			areas["shape " + std::to_string(int(shape->area()))] += shape->area();
			if (areas.size() > 5000)
				throw areas.size();
		} catch (size_t) {
			areas.clear();
		}
	}
	return areas;
}

} // namespace shapes

static int compare(const std::string &a, const std::string &b)
{
	return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
					    [](char x, char y) { return (x ^ 1) < (y ^ 1); });
}

int main(int argc, char **argv)
{
	const long rounds = argc > 1 ? std::atol(argv[1]) : 1000;
	std::vector<std::unique_ptr<shapes::Shape>> all;
	double total = 0;

	for (int i = 1; i < 500; i++) {
		if (i % 3 == 0)
			all.push_back(std::make_unique<shapes::Circle>(i));
		else if (i % 3 == 1)
			all.push_back(std::make_unique<shapes::Polygon<6>>(i));
		else
			all.push_back(std::make_unique<shapes::Polygon<3>>(i));
	}
	for (long round = 0; round < rounds; round++) {
		auto areas = shapes::index(all);
		std::vector<std::string> names;

		for (const auto &pair : areas)
			names.push_back(pair.first);
		std::sort(names.begin(), names.end(), compare);
		total += shapes::sum(all, double(round % 7)) + double(names.front().size());
	}
	std::printf("%g\n", total);
	return 0;
}
